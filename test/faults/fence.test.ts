/** Where the fence does not stand, or is too old: what is in doubt is read, and never sent anew. */
import { EventEmitter, once } from "node:events";
import { expect, test } from "vitest";
import { freshFolder } from "../e2e/program.ts";
import { hurried } from "../support/clock.ts";
import { shell } from "../support/msg.ts";
import { keyEnv } from "../support/signer.ts";
import { envFor, numbersOf, openService, rowsOf, sending } from "./books.ts";
import { type Harm, openLine } from "./line.ts";

const rows = 3;
const minuteMs = 60_000;

interface Meanwhile {
  readonly forget?: true;
  readonly stoppedMs?: number;
  /** So many reads of the probe lose their answers, or suffer what `lostBy` says. */
  readonly lostReads?: number;
  readonly lostBy?: Harm;
}

/** A run of one call whose first transmission suffers `harm`, with clocks that may be moved meanwhile. */
const firstCall = async (harm: Harm | "behind the second", meanwhile: Meanwhile) => {
  const { lostReads = 0, lostBy = "dropAfter" } = meanwhile;
  const clock = { aheadMs: 0 };
  const now = (): Date => new Date(Date.now() + clock.aheadMs);
  const service = await openService(freshFolder(), now);
  if (meanwhile.forget) service.forgetSignatures();
  const posts = { count: 0 };
  const reads = { lost: 0 };
  const performed = new EventEmitter();
  const first: Harm =
    harm === "behind the second" ? { until: once(performed, "second or end") } : harm;
  const line = await openLine({
    to: service.baseUrl,
    harm: ({ method, path }) => {
      if (method === "GET" && path === "/messages/v4/list" && reads.lost < lostReads) {
        reads.lost += 1;
        return lostBy;
      }
      if (method !== "POST") return undefined;
      posts.count += 1;
      return posts.count === 1 ? first : undefined;
    },
    on: ({ method }, moment) => {
      if (method !== "POST" || moment !== "performed") return;
      clock.aheadMs = meanwhile.stoppedMs ?? 0;
      performed.emit("second or end");
    },
  });
  const stdin = rowsOf(rows);
  const ended = await shell({ now, ...hurried() })(
    sending("--direct", "--settle", lostReads > 0 ? "30s" : "2s"),
    {
      stdin,
      env: envFor(line),
    },
  );
  performed.emit("second or end");
  await line.stop();
  const books = service.books();
  await service.stop();
  const sent = numbersOf(rows).map((to) => books.get(to) ?? 0);
  return { code: ended.code, err: ended.err, sent, posts: posts.count };
};

test("N06 where the fence stands, the same call goes out a second time and is not performed again", async () => {
  const { code, err, sent, posts } = await firstCall("dropAfter", {});
  expect({ code, sent, posts }, err).toEqual({ code: 0, sent: [1, 1, 1], posts: 2 });
});

test.each([1, 2, 3])(
  "N06 a probe of the fence whose reads lose %i answers proves nothing, and is made again",
  async (lostReads) => {
    const { code, err, sent, posts } = await firstCall("dropBefore", { lostReads });
    expect({ code, sent, posts }, err).toEqual({ code: 0, sent: [1, 1, 1], posts: 2 });
    expect(err).not.toContain("it is not certain");
  },
);

const garbage = { status: 200, headers: {}, body: "<html>sign in</html>" };

test.each([
  ["a proxy's 503", 1, "failBefore"],
  ["a proxy's 503", 2, "failBefore"],
  ["a 500 behind the signature", 2, "failAfter"],
  ["something that is no list", 2, garbage],
] as const)(
  "N06 S02 %s to %i reads of the probe proves nothing, and it is made again",
  async (_, lostReads, lostBy) => {
    const { code, err, sent, posts } = await firstCall("failBefore", { lostReads, lostBy });
    expect({ code, sent, posts }, err).toEqual({ code: 0, sent: [1, 1, 1], posts: 2 });
    expect(err).not.toContain("it is not certain");
  },
);

test("S08 a service that forgets signatures at once: the probe finds and announces it, the call is found by reading", async () => {
  const { code, err, sent, posts } = await firstCall("dropAfter", { forget: true });
  expect({ code, sent, posts }, err).toEqual({ code: 0, sent: [1, 1, 1], posts: 1 });
  expect(err).toContain("looked up, never sent again");
});

test("S08 a service that forgets signatures at once: what is not found stays unknown, and it is said from when on it is certain", async () => {
  const { code, err, sent, posts } = await firstCall("dropBefore", { forget: true });
  expect({ code, sent, posts }, err).toEqual({ code: 11, sent: [0, 0, 0], posts: 1 });
  expect(err).toMatch(
    /may or may not have been sent[\s\S]*look for it: msg run reconcile .*; if it is not there after \d{4}-/,
  );
});

test("P07 stopped for 16 minutes in the middle of a call: the fence is too old, the call is read and not repeated", async () => {
  const { code, err, sent, posts } = await firstCall("dropAfter", { stoppedMs: 16 * minuteMs });
  expect({ code, sent, posts }, err).toEqual({ code: 0, sent: [1, 1, 1], posts: 1 });
});

test("P07 a gateway that answers in the service's place with a clock of its own: a copy that arrives late is performed no more", async () => {
  const ahead = new Date(Date.now() + 20 * minuteMs).toUTCString();
  const lostBy = { status: 503, headers: { date: ahead }, body: "busy" };
  const { code, err, sent, posts } = await firstCall("behind the second", { lostReads: 3, lostBy });
  expect({ code, sent, posts }, err).toEqual({ code: 0, sent: [1, 1, 1], posts: 2 });
});

/** The answers of calls are lost, and nothing can be looked for, as long as it is blind. */
const openBlindLine = async (to: string) => {
  const blind = { is: true };
  const line = await openLine({
    to,
    harm: ({ method, path }) => {
      if (method === "POST" && blind.is) return "dropAfter";
      return path.includes("/list") && blind.is ? "failBefore" : undefined;
    },
  });
  return { blind, line };
};

test("N06 a call in doubt that is taken up with another key of the account is looked for: that key's signature would be a new one", async () => {
  const service = await openService(freshFolder());
  const { blind, line } = await openBlindLine(service.baseUrl);
  const at = shell({ env: envFor(line), ...hurried() });
  const first = await at(sending("--direct", "--settle", "0"), { stdin: rowsOf(rows) });
  expect(first.code, first.err).toBe(11);
  blind.is = false;
  const resumed = await at("send-many --resume last", { env: keyEnv(2) });
  const posts = line.requests.filter(({ method }) => method === "POST").length;
  await line.stop();
  const sent = service.countsOf(numbersOf(rows));
  await service.stop();
  expect({ code: resumed.code, sent, posts }, resumed.err).toEqual({
    ...{ code: 0, sent: [1, 1, 1], posts: 1 },
  });
});

/**
 * The answer to a call is lost while this machine's clock is ten minutes ahead; sixteen minutes later it
 * is right, and the call looks young although the service has forgotten its signature.
 */
const clockSetMeanwhile = async (...flags: readonly string[]) => {
  const clock = { serviceMs: 0, hereMs: 10 * minuteMs };
  const service = await openService(freshFolder(), () => new Date(Date.now() + clock.serviceMs));
  const { blind, line } = await openBlindLine(service.baseUrl);
  const now = (): Date => new Date(Date.now() + clock.hereMs);
  const at = shell({ env: envFor(line), ...hurried(), now });
  const first = await at(sending("--direct", "--settle", "0", ...flags), { stdin: rowsOf(rows) });
  expect(first.code, first.err).toBe(11);
  blind.is = false;
  clock.serviceMs = 16 * minuteMs;
  clock.hereMs = 16 * minuteMs;
  const { code } = await at("send-many --resume last --settle 2s");
  await line.stop();
  const sent = service.countsOf(numbersOf(rows));
  await service.stop();
  return { code, sent };
};

test("P07 a clock that was set between two processes: the call is looked for before it is repeated", async () => {
  expect(await clockSetMeanwhile()).toEqual({ code: 0, sent: [1, 1, 1] });
});

test("P07 a clock that was set between two processes: what cannot be looked for is not repeated", async () => {
  expect(await clockSetMeanwhile("--no-tag")).toEqual({ code: 11, sent: [1, 1, 1] });
});
