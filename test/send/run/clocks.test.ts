/** How old a signature is: which clocks are believed, and for whom it is a fence. */
import { expect, test } from "vitest";
import { createServiceClock } from "../../../src/client/service-clock.ts";
import type { Clock } from "../../../src/send/protocol/actions.ts";
import type { Signature } from "../../../src/send/protocol/entries.ts";
import { startClock } from "../../../src/send/run/clocks.ts";

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;
const start = Date.parse("2026-01-15T09:00:00Z");
const signed: Signature = { date: "2026-01-15T09:00:00Z", salt: "ab", key: "0001" };

interface Here {
  readonly ages: Clock;
  /** Time passes on both clocks; then the one that can be set is set. */
  readonly pass: (ms: number) => void;
  readonly set: (ms: number) => void;
  /** The service answers a request that was just signed, with its time or one that is wrong. */
  readonly answer: (aheadMs?: number) => void;
}

/** A machine whose clock may be set, and a service whose clock is right. */
const here = ([key]: readonly [string | undefined] = ["0001"]): Here => {
  const it = { passed: 0, set: 0 };
  const clocks = { now: () => new Date(start + it.passed + it.set), ticks: () => it.passed };
  const service = createServiceClock(clocks);
  const ages = startClock({ ...clocks, key, service, reconcileMs: minuteMs, fresh: () => signed });
  return {
    ages,
    pass: (ms) => {
      it.passed += ms;
    },
    set: (ms) => {
      it.set += ms;
    },
    answer: (aheadMs = 0) => {
      const headers = { date: new Date(start + it.passed + aheadMs).toUTCString() };
      const answered = new Date(start + it.passed - 5 * minuteMs).toISOString();
      service.note({ status: 200, headers, body: new Uint8Array() }, answered);
    },
  };
};

test("P07 a signature is expired 16 minutes after its date, by the service's clock", () => {
  const { ages, pass, answer } = here();
  pass(17 * minuteMs);
  expect(ages.expired(signed)).toBe(false);
  answer();
  expect(ages.expired(signed)).toBe(true);
});

test("P07 a clock that is set forward between two answers lets no signature expire", () => {
  const { ages, pass, set, answer } = here();
  answer();
  pass(minuteMs);
  set(60 * minuteMs);
  expect([ages.expired(signed), ages.canReplay(signed)]).toEqual([false, false]);
  answer();
  expect(ages.expired(signed)).toBe(false);
  pass(16 * minuteMs);
  expect(ages.expired(signed)).toBe(true);
});

test("P07 a clock that is set back keeps no fence open", () => {
  const { ages, pass, set, answer } = here();
  answer();
  expect(ages.canReplay(signed)).toBe(true);
  pass(10 * minuteMs);
  set(-8 * minuteMs);
  expect(ages.canReplay(signed)).toBe(false);
});

test("with another key, or with a token, the same date and salt are no fence", () => {
  for (const key of ["0002", undefined]) {
    const { ages, answer } = here([key]);
    answer();
    expect(ages.canReplay(signed)).toBe(false);
  }
});

test("what no key has signed never expires", () => {
  const { ages, pass, answer } = here();
  pass(60 * minuteMs);
  answer();
  expect(ages.expired({ date: signed.date, salt: "ab" })).toBe(false);
});

test("of what is half a year old the service says nothing: it was not sent for all that", () => {
  const { ages, pass, answer } = here();
  pass(30 * dayMs);
  answer();
  expect(ages.expired(signed)).toBe(true);
  pass(160 * dayMs);
  answer();
  expect(ages.expired(signed)).toBe(false);
});

test("P07 a Date that is ahead lets nothing expire before as much time has passed here", () => {
  const { ages, pass, answer } = here();
  pass(8 * minuteMs);
  answer(9 * minuteMs);
  expect(ages.expired(signed)).toBe(false);
  pass(9 * minuteMs);
  expect(ages.expired(signed)).toBe(true);
});

test("P07 a date that lies ahead of the service's clock keeps no fence", () => {
  const { ages, answer } = here();
  answer(-4 * minuteMs);
  expect(ages.canReplay(signed)).toBe(false);
});

test("a group is too old to be sent 23 hours after it was made: others list 25", () => {
  const { ages } = here();
  const made = (agoMs: number): string => new Date(start - agoMs).toISOString();
  const limitMs = 23 * 60 * minuteMs;
  expect([limitMs, limitMs + 1].map((agoMs) => ages.isTooOld(made(agoMs)))).toEqual([false, true]);
});
