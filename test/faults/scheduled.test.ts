/**
 * `msg send --at` over a bad line: what waits for its hour is scheduled once, and what is told is true. In
 * `npm test` each harm meets one of the requests before the one that schedules, with `EVERY=1` each of them.
 */
import { setTimeout as delay } from "node:timers/promises";
import fc from "fast-check";
import { expect, test } from "vitest";
import { type Options, shell } from "../support/msg.ts";
import { countOf, share } from "../support/share.ts";
import { envFor, numbersOf } from "./books.ts";
import { type Harm, type LineOptions, openLine, type Passing } from "./line.ts";
import { oneService } from "./one-service.ts";
import { tokenEnv } from "./tokens.ts";

const isCall = (path: string): boolean => path.endsWith("/schedule");
const minuteMs = 60_000;
const clock = { aheadMs: 0 };
const now = (): Date => new Date(Date.now() + clock.aheadMs);
const hour = new Date(Date.now() + 24 * 60 * minuteMs).toISOString();
const quick = { now, wait: (ms: number) => delay(Math.min(ms, 2)) };

const { opened, nextBatch } = oneService(now);

/** One command over a harmed line: how it ended, and how often the service has each of its messages. */
const over = async (
  harm: LineOptions["harm"],
  flags: readonly string[] = [],
  { others = [], ...options }: Options & { readonly others?: readonly string[] } = {},
) => {
  const service = opened();
  const numbers = numbersOf(2, nextBatch());
  const line = await openLine({ to: service.baseUrl, ...(harm && { harm }) });
  const at = shell({ ...quick, ...options, env: { ...envFor(line), ...options.env } });
  const to = [...numbers, ...others].flatMap((it) => ["--to", it]);
  const words = ["send", ...to, "--from", "0200000000", "--text", "x", "--at", hour];
  const ran = await at([...words, "--json", "--settle", "4s", ...flags]);
  await line.stop();
  const posts = line.requests.filter(({ path }) => isCall(path)).length;
  const scheduled = () => service.promisesTo(numbers);
  const resume = () => {
    const { signal } = new AbortController();
    return at("send-many --resume last --json", { env: envFor(service), signal });
  };
  return { ...ran, posts, sent: scheduled(), scheduled, resume };
};

/** The first transmission of the request that schedules suffers, or of another one, and nothing else. */
const first = (harm: Harm, suffers: Which = ({ path }) => isCall(path)) => {
  const hit = { yet: false };
  return (passing: Passing): Harm | undefined => {
    if (!suffers(passing) || hit.yet) return undefined;
    hit.yet = true;
    return harm;
  };
};

type Which = (passing: Passing) => boolean;

const told = {
  status: "SCHEDULED",
  total: 2,
  refused: 0,
  scheduledDate: hour,
  groupInfo: { status: "SCHEDULED", count: { registeredSuccess: 2 } },
  failedMessageList: [],
};

const bare: Harm = { rewrite: () => "{}" };
const uncounted: Harm = { rewrite: (body) => body.replace('"count":', '"counted":') };

const harms: readonly (readonly [string, Harm])[] = [
  ["N04 N05 lost before it is performed", "dropBefore"],
  ["N06 performed, and the answer is lost", "dropAfter"],
  ["N07 performed late", "late"],
  ["N08 S07 performed twice, and the refusal of the second copy comes back", "double"],
  ["N09 cut in the middle of its answer", "cut"],
  ["S01 performed, and answered with a 500", "failAfter"],
  ["S02 answered with a proxy's 503", "failBefore"],
  ["S03 answered with more rows than there are", "miscount"],
  ["S03 answered without counts", uncounted],
  ["S03 answered with nothing but braces", bare],
];

test.each(harms)("%s: it is settled, scheduled once, and told as ever: exit 0", async (_, harm) => {
  const { code, err, sent, json, posts } = await over(first(harm));
  expect({ code, sent }, err).toEqual({ code: 0, sent: [1, 1] });
  expect(json()).toMatchObject(told);
  // How many rows a group holds was read before: an answer that names it and says that it waits is enough.
  // The refusal of a second copy proves as much: the group is read, and not asked for again.
  const isReadAfter = harm === "miscount" || harm === uncounted || harm === "double";
  expect(posts).toBe(isReadAfter ? 1 : 2);
});

const isRead: Which = ({ method, path }) => method === "GET" && /\/groups\/[^/]+$/.test(path);

/** Such a read does not show what the group holds: nothing is sent, and the run is gone on with. */
const unread = new Set<Harm>([uncounted, bare]);

const others: readonly (readonly [string, Which])[] = [
  ["creates the group", ({ method, path }) => method === "POST" && path.endsWith("/groups")],
  ["fills it", ({ method }) => method === "PUT"],
  ["reads it", isRead],
];

test.each(
  share(
    others
      .flatMap(([what, suffers]) => harms.map(([how, harm]) => ({ what, suffers, how, harm })))
      // The answer to an add has no such count.
      .filter(({ what, harm }) => what !== "fills it" || harm !== uncounted),
    3,
  ),
)("the request that $what, $how: scheduled once", async ({ suffers, harm }) => {
  const { code, err, sent, json, resume, scheduled } = await over(first(harm, suffers));
  if (suffers === isRead && unread.has(harm)) {
    expect([code, sent, JSON.parse(err).error.outcome], err).toEqual([10, [0, 0], "not_sent"]);
    const resumed = await resume();
    expect([resumed.code, scheduled()], resumed.err).toEqual([0, [1, 1]]);
    return;
  }
  expect({ code, sent }, err).toEqual({ code: 0, sent: [1, 1] });
  expect(json()).toMatchObject(told);
});

test("N06 refused rows of a call without an answer are told as those of an answered one: exit 3", async () => {
  const others = ["01000001060", "01000001061"];
  const calm = await over(undefined, [], { others });
  const lost = await over(first("dropAfter"), [], { others });
  for (const ran of [calm, lost]) {
    expect([ran.code, ran.sent], ran.err).toEqual([3, [1, 1]]);
    expect(ran.json()).toMatchObject({
      ...told,
      total: 4,
      refused: 2,
      groupInfo: expect.any(Object),
      failedMessageList: [{}, {}],
    });
    expect(ran.err).toContain("unschedule");
    expect(JSON.parse(ran.err.trim().split("\n").at(-1) ?? "").error.details).toHaveLength(2);
  }
});

const sorts: readonly (Harm | undefined)[] = [
  ...[undefined, undefined, "dropBefore", "dropAfter", "late", "double", "cut"],
  ...["failAfter", "failBefore", "miscount", uncounted],
] as const;

test("N06 whatever the first eight requests suffer, nobody is written to twice, and the exit code tells no lie", async () => {
  const suffering = fc.array(fc.constantFrom(...sorts), { minLength: 1, maxLength: 8 });
  await fc.assert(
    fc.asyncProperty(suffering, async (line) => {
      const { code, err, sent } = await over(
        ({ number }) => line[number - 1],
        ["--settle", "300ms"],
      );
      const once = Math.max(...sent) <= 1 && sent[0] === sent[1];
      const truth = code === 11 || (code === 0 ? sent[0] === 1 : sent[0] === 0);
      // 4: prices are read first, and a proxy that doubles the last try of a read has its signature refused.
      expect(
        { once, truth, code: [0, 4, 9, 10, 11].includes(code) },
        `${code} ${sent} ${err}`,
      ).toEqual({
        ...{ once: true, truth: true, code: true },
      });
    }),
    {
      numRuns: countOf(30, 8),
      examples: [[["dropAfter", "failAfter", "late", "dropAfter", "double"]]],
    },
  );
}, 120_000);

test("S02 a service that never answers it leaves it unknown, exit 11: resumed, it is scheduled once", async () => {
  const { code, err, sent, resume, scheduled } = await over(
    ({ path }) => (isCall(path) ? "failBefore" : undefined),
    ["--settle", "50ms"],
  );
  expect([code, sent], err).toEqual([11, [0, 0]]);
  expect(err).toMatch(/msg send-many --resume \S+ is safe: a group is sent at most once/);
  const resumed = await resume();
  expect([resumed.code, scheduled()], resumed.err).toEqual([0, [1, 1]]);
});

test("--settle 0 schedules no second time: what was performed is read, what was not is left, exit 11", async () => {
  const done = await over(first("dropAfter"), ["--settle", "0"]);
  expect([done.code, done.posts, done.sent], done.err).toEqual([0, 1, [1, 1]]);
  const left = await over(first("dropBefore"), ["--settle", "0"]);
  expect([left.code, left.posts, left.sent], left.err).toEqual([11, 1, [0, 0]]);
  const resumed = await left.resume();
  expect([resumed.code, await left.scheduled()], resumed.err).toEqual([0, [1, 1]]);
});

test.each<readonly [Harm, string]>([
  ["dropAfter", "--no-tag"],
  ["dropBefore", "--no-tag"],
])("N06 %s with %s: a group needs no mark, it is scheduled once", async (harm, flag) => {
  const bare = await over(first(harm), [flag]);
  expect([bare.code, bare.posts, bare.sent], bare.err).toEqual([0, 2, [1, 1]]);
});

test.each(["dropAfter", "dropBefore"] as const)(
  "N06 a token carries no signature: %s is repeated all the same, and scheduled once",
  async (harm) => {
    const env = await tokenEnv(opened().baseUrl, "message:read message:write");
    const ran = await over(first(harm), [], { env });
    expect([ran.code, ran.posts, ran.sent], ran.err).toEqual([0, 2, [1, 1]]);
  },
);

test.each(["dropAfter", "dropBefore"] as const)(
  "N06 %s, and repeated when the service has forgotten its signature: scheduled once",
  async (harm) => {
    const lost = first(harm);
    const { code, err, sent } = await over((passing) => {
      const suffers = lost(passing);
      if (suffers) clock.aheadMs += 17 * minuteMs;
      return suffers;
    });
    expect([code, sent], err).toEqual([0, [1, 1]]);
  },
);

test("N01 a service that cannot be reached is exit 9, a refusal as a whole 10: nothing is scheduled", async () => {
  const closed = await over(undefined, [], { env: { MSG_BASE_URL: "http://127.0.0.1:1" } });
  expect([closed.code, closed.sent], closed.err).toEqual([9, [0, 0]]);
  const headers = { "content-type": "application/json" };
  const body = '{"errorCode":"NotEnoughBalance","errorMessage":"x"}';
  const poor = await over(first({ status: 402, headers, body }));
  expect([poor.code, poor.posts, poor.sent], poor.err).toEqual([10, 1, [0, 0]]);
});

test("P05 stopped while it is in doubt: exit 130, nobody is told that it was not sent; resumed, it is scheduled once", async () => {
  const stop = new AbortController();
  const lost = first("dropAfter");
  const { code, err, sent, resume, scheduled } = await over(
    (passing) => {
      const suffers = lost(passing);
      if (suffers) stop.abort();
      return suffers;
    },
    [],
    { signal: stop.signal },
  );
  expect([code, sent], err).toEqual([130, [1, 1]]);
  expect(err).not.toContain("nothing was sent");
  expect(err).toContain("msg send-many --resume");
  const resumed = await resume();
  expect([resumed.code, scheduled()], resumed.err).toEqual([0, [1, 1]]);
});

test("P05 stopped while the call is under way: the answer is waited for and shown, exit 130", async () => {
  const stop = new AbortController();
  const { code, err, json, sent } = await over(
    ({ path }) => {
      if (isCall(path)) stop.abort();
      return undefined;
    },
    [],
    { signal: stop.signal, wait: (ms, signal) => delay(ms, undefined, signal && { signal }) },
  );
  expect([code, sent], err).toEqual([130, [1, 1]]);
  expect(json()).toMatchObject(told);
  expect(err).toContain("do not run it again");
});
