/**
 * The sending protocol of src through every interleaving; protocols known to be bad are found bad. `npm test`
 * goes through each walk, the large ones with fewer faults: 150,000 states. `EVERY=1` with all of them: 1,000,000.
 */
import { expect, test } from "vitest";
import type { RunShape } from "../../../src/send/protocol/state.ts";
import { countOf, isEvery } from "../../support/share.ts";
import {
  believeAnyDate,
  believeAnyGroup,
  believeAnyRefusal,
  concludeInTwo,
  countThenAddAgain,
  goOnUnfenced,
  leaveAbandoned,
  lookThenResend,
  retryWithNewSignature,
  sendPastCanary,
  sendUnread,
  signAhead,
  takeOpenForNeverSent,
} from "./bad-protocols.ts";
import { explore } from "./explorer.ts";
import type { Budget, Machine } from "./machine.ts";
import { real } from "./real.ts";

const shape = (path: RunShape["path"], chunks: number, more: Partial<RunShape> = {}): RunShape => ({
  path,
  rows: Array.from({ length: chunks }, () => 1),
  width: 2,
  concurrency: 2,
  signed: true,
  tagged: true,
  scheduled: false,
  goal: "finish",
  ...more,
});

const budget = (
  faults: number,
  kills: number,
  ages: number,
  others: Partial<Budget> = {},
): Budget => ({
  faults,
  kills,
  ages,
  cuts: 0,
  cancels: 0,
  offs: 0,
  touches: 0,
  dateOff: 0,
  ...others,
});

const clean = { duplicates: 0, lost: 0, early: 0, strange: 0, stuck: 0 };

/** The second budget is that of `npm test`, where the first one leads too far. */
const walks: readonly (readonly [string, RunShape, Budget, Budget?])[] = [
  [
    "path G, one chunk, with cancel",
    shape("G", 1),
    budget(2, 1, 1, { cancels: 1 }),
    budget(1, 1, 1, { cancels: 1 }),
  ],
  ["path G, two chunks at once in one group", shape("G", 2), budget(1, 1, 0)],
  ["path G, two chunks at once, ageing", shape("G", 2), budget(1, 1, 1), budget(1, 0, 1)],
  ["path G, two groups", shape("G", 2, { width: 1 }), budget(2, 1, 0), budget(1, 1, 0)],
  [
    "path G without a replay window",
    shape("G", 1, { signed: false }),
    budget(2, 1, 1),
    budget(1, 1, 1),
  ],
  [
    "path G at an hour, with cancel",
    shape("G", 1, { scheduled: true }),
    budget(1, 1, 1, { cancels: 1 }),
  ],
  [
    "path G at an hour, taken off its schedule by someone else",
    shape("G", 1, { scheduled: true }),
    budget(1, 1, 1, { cancels: 1, offs: 2 }),
    budget(1, 1, 0, { cancels: 1, offs: 1 }),
  ],
  [
    "path G at an hour, one of two groups taken off",
    shape("G", 2, { scheduled: true, width: 1, concurrency: 1 }),
    budget(0, 1, 0, { cancels: 1, offs: 1 }),
  ],
  [
    "path G, sent, deleted and filled by someone else",
    shape("G", 1),
    budget(1, 1, 1, { cancels: 1, touches: 2 }),
    budget(1, 1, 0, { cancels: 1, touches: 1 }),
  ],
  [
    "path G, one of two groups touched by someone else",
    shape("G", 2, { width: 1, concurrency: 1 }),
    budget(1, 1, 0, { touches: 1 }),
    budget(0, 1, 0, { touches: 1 }),
  ],
  [
    "path G, half of a group sent by someone else",
    shape("G", 2),
    budget(1, 1, 0, { touches: 1 }),
    budget(0, 1, 0, { touches: 1 }),
  ],
  [
    "path G at an hour, touched by someone else",
    shape("G", 1, { scheduled: true }),
    budget(1, 1, 1, { cancels: 1, touches: 1 }),
    budget(1, 0, 0, { touches: 1 }),
  ],
  [
    "path G, with a Date that is 20 minutes fast",
    shape("G", 1),
    budget(2, 1, 1, { dateOff: 20 }),
    budget(1, 1, 1, { dateOff: 20 }),
  ],
  [
    "path G, a canary and the rest behind it, with cancel",
    shape("G", 2, { canary: { from: 0, to: 1 } }),
    budget(1, 2, 0, { cancels: 1 }),
    budget(1, 1, 0, { cancels: 1 }),
  ],
  [
    "path G, a canary behind the list, one request at a time",
    shape("G", 3, { canary: { from: 2, to: 3 }, concurrency: 1 }),
    budget(1, 1, 0),
    budget(0, 1, 0),
  ],
  ["one call", shape("S", 1), budget(2, 1, 3)],
  [
    "one call, with a Date that is 20 minutes fast",
    shape("S", 1),
    budget(2, 1, 3, { dateOff: 20 }),
  ],
  ["one call, with a Date that is 8 minutes fast", shape("S", 1), budget(2, 1, 3, { dateOff: 8 })],
  ["one call, with a Date that is 8 minutes slow", shape("S", 1), budget(2, 1, 3, { dateOff: -8 })],
  ["direct, one call after the other", shape("direct", 2, { concurrency: 1 }), budget(1, 1, 3)],
  ["direct, two calls at once", shape("direct", 2), budget(1, 1, 1)],
];

const cut = { cuts: 1 };
const cutOnce = { cuts: 1, cancels: 1 };
const cutTwice = { cuts: 2, cancels: 1 };

/** The power is cut in the middle of a write: the process that finds a part of it sends, cancels or looks. */
const cutWalks: typeof walks = [
  ["cut: one chunk", shape("G", 1), budget(2, 0, 0, cutOnce), budget(1, 0, 0, cutOnce)],
  ["cut: two chunks at once", shape("G", 2), budget(1, 0, 0, cut), budget(0, 0, 0, cutOnce)],
  [
    "cut: two groups",
    shape("G", 2, { width: 1 }),
    budget(1, 0, 0, cutOnce),
    budget(0, 0, 0, cutOnce),
  ],
  [
    "cut: an hour, taken off by someone else",
    shape("G", 1, { scheduled: true }),
    budget(1, 0, 0, { ...cutOnce, offs: 1 }),
    budget(0, 0, 0, { ...cutOnce, offs: 1 }),
  ],
  [
    "cut: two groups with an hour, put back on it",
    shape("G", 2, { scheduled: true, width: 1, concurrency: 1 }),
    budget(0, 0, 0, { ...cutOnce, offs: 2 }),
    budget(0, 0, 0, { ...cut, offs: 2 }),
  ],
  [
    "cut: sent, deleted and filled by someone else",
    shape("G", 2),
    budget(1, 0, 0, { ...cut, touches: 1 }),
    budget(0, 0, 0, { ...cut, touches: 1 }),
  ],
  [
    "cut: an hour, touched by someone else",
    shape("G", 1, { scheduled: true }),
    budget(1, 0, 0, { ...cutOnce, touches: 1 }),
    budget(0, 0, 0, { ...cutOnce, touches: 1 }),
  ],
  [
    "cut: a canary",
    shape("G", 2, { canary: { from: 0, to: 1 } }),
    budget(1, 0, 0, cutOnce),
    budget(0, 0, 0, cutOnce),
  ],
  ["cut: one call", shape("S", 1), budget(2, 1, 3, cutTwice), budget(1, 0, 2, cutOnce)],
  ["cut: two calls", shape("direct", 2), budget(1, 1, 1, cutOnce), budget(1, 0, 0, cut)],
];

const leastStates = countOf(1_000_000, 150_000);

test(`P01 P02 P04 P14 N06 N07 N08 S01: nothing is sent twice, lost or stuck in any interleaving (≥ ${leastStates} states)`, () => {
  let states = 0;
  for (const [name, of, whole, less = whole] of [...walks, ...cutWalks]) {
    const found = explore(real, of, isEvery ? whole : less);
    states += found.states;
    expect({ name, ...pick(found) }).toEqual({ name, ...clean });
    expect(found.endings.done).toBeGreaterThan(0);
  }
  expect(states).toBeGreaterThanOrEqual(leastStates);
}, 600_000);

test("N06 a call that carries no signature or no correlation id is never sent twice, and ends as unknown", () => {
  for (const lacks of [{ signed: false }, { tagged: false }]) {
    const found = explore(real, shape("S", 1, lacks), budget(2, 1, 3));
    expect(pick(found)).toMatchObject({ duplicates: 0, lost: 0 });
    expect(found.endings.unknown).toBeGreaterThan(0);
  }
});

/** Each breaks a promise in some interleaving: the walk that finds nothing in the real one is no accident. */
const bad: readonly (readonly [
  string,
  Machine,
  RunShape,
  Budget,
  "duplicates" | "lost" | "early" | "strange" | "stuck",
])[] = [
  [
    "a repeat with a new signature",
    retryWithNewSignature,
    shape("S", 1),
    budget(1, 0, 0),
    "duplicates",
  ],
  ["looking and sending again", lookThenResend, shape("S", 1), budget(2, 1, 0), "duplicates"],
  ["counting and adding again", countThenAddAgain, shape("G", 1), budget(2, 1, 0), "duplicates"],
  [
    "taking what is off its schedule for never sent",
    takeOpenForNeverSent,
    shape("G", 1, { scheduled: true }),
    budget(1, 1, 1, { offs: 1 }),
    "lost",
  ],
  [
    "sending what was not read again",
    sendUnread,
    shape("G", 1),
    budget(1, 1, 0, { touches: 1 }),
    "strange",
  ],
  ["believing any refusal of a call", believeAnyRefusal, shape("S", 1), budget(1, 1, 0), "lost"],
  [
    "believing the answer for another group",
    believeAnyGroup,
    shape("G", 2, { width: 1 }),
    budget(1, 0, 0),
    "lost",
  ],
  [
    "believing any Date",
    believeAnyDate,
    shape("S", 1),
    budget(2, 0, 0, { dateOff: 20 }),
    "duplicates",
  ],
  [
    "sending the rest before the canary has passed",
    sendPastCanary,
    shape("G", 2, { canary: { from: 0, to: 1 } }),
    budget(0, 0, 0),
    "early",
  ],
  ["signing ahead of the service", signAhead, shape("S", 1), budget(2, 1, 3), "duplicates"],
  ["going on without the lease", goOnUnfenced, shape("G", 1), budget(1, 1, 0), "duplicates"],
  [
    "leaving an abandoned group to others",
    leaveAbandoned,
    shape("G", 1),
    budget(1, 1, 1, { touches: 1 }),
    "duplicates",
  ],
  [
    "writing down in two records that nothing is to be sent",
    concludeInTwo,
    shape("G", 1),
    budget(1, 0, 0, { cuts: 1 }),
    "stuck",
  ],
];

test.each(bad)(
  "the same walk finds that %s breaks the promise",
  (_, machine, of, within, breaks) => {
    expect(explore(machine, of, within, breaks)[breaks]).toBeGreaterThan(0);
  },
);

const pick = ({ duplicates, lost, early, strange, stuck }: typeof clean) => ({
  ...{ duplicates, lost, early, strange, stuck },
});
