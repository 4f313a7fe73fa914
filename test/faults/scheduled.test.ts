/** `msg send --at` over a bad line: what waits for its hour is scheduled once, and what is told is true. */
import { setTimeout as delay } from "node:timers/promises";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { freshFolder } from "../e2e/program.ts";
import { type Options, shell } from "../support/msg.ts";
import { envFor, numbersOf, openService, type Service } from "./books.ts";
import { type Harm, type LineOptions, openLine } from "./line.ts";
import { tokenEnv } from "./tokens.ts";

const call = "/messages/v4/send-many/detail";
const minuteMs = 60_000;
const clock = { aheadMs: 0 };
const now = (): Date => new Date(Date.now() + clock.aheadMs);
const hour = new Date(Date.now() + 24 * 60 * minuteMs).toISOString();
const quick = { now, wait: (ms: number) => delay(Math.min(ms, 2)) };

const open: { it?: Service; next: number } = { next: 0 };
beforeAll(async () => {
  open.it = await openService(freshFolder(), now);
});
afterAll(() => open.it?.stop());

/** One command over a harmed line: how it ended, and how often the service has each of its messages. */
const over = async (
  harm: LineOptions["harm"],
  flags: readonly string[] = [],
  { others = [], ...options }: Options & { readonly others?: readonly string[] } = {},
) => {
  const service = open.it;
  if (!service) throw new Error("a test begins behind beforeAll");
  open.next += 10;
  const numbers = numbersOf(2, open.next);
  const line = await openLine({ to: service.baseUrl, ...(harm && { harm }) });
  const at = shell({ ...quick, ...options, env: { ...envFor(line), ...options.env } });
  const to = [...numbers, ...others].flatMap((it) => ["--to", it]);
  const words = ["send", ...to, "--from", "0200000000", "--text", "x", "--at", hour];
  const ran = await at([...words, "--json", "--settle", "4s", ...flags]);
  await line.stop();
  const calm = shell({ now, env: envFor(service) });
  const stored = async (number: string): Promise<number> => {
    const rows: unknown = (await calm(`message list --to ${number} --json`)).json();
    return Array.isArray(rows) ? rows.length : 0;
  };
  const posts = line.requests.filter(({ method }) => method === "POST").length;
  return { ...ran, posts, sent: [await stored(numbers[0] ?? ""), await stored(numbers[1] ?? "")] };
};

/** The first transmission of the call suffers, whatever is asked before and behind it. */
const first = (harm: Harm): NonNullable<LineOptions["harm"]> => {
  const hit = { yet: false };
  return ({ path }) => {
    if (path !== call || hit.yet) return undefined;
    hit.yet = true;
    return harm;
  };
};

const told = {
  status: "SCHEDULED",
  total: 2,
  refused: 0,
  scheduledDate: hour,
  groupInfo: { status: "SCHEDULED", count: { registeredSuccess: 2 } },
  failedMessageList: [],
};

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
  ["S03 answered with nothing but braces", { rewrite: () => "{}" }],
];

test.each(harms)("%s: it is settled, scheduled once, and told as ever: exit 0", async (_, harm) => {
  const { code, err, sent, json, posts } = await over(first(harm));
  expect({ code, sent }, err).toEqual({ code: 0, sent: [1, 1] });
  expect(json()).toMatchObject(told);
  expect(posts).toBe(2);
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
      groupInfo: {},
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
      expect(
        { once, truth, code: [0, 9, 10, 11].includes(code) },
        `${code} ${sent} ${err}`,
      ).toEqual({
        ...{ once: true, truth: true, code: true },
      });
    }),
    { numRuns: 30 },
  );
}, 120_000);

test("S02 a service that never answers it leaves it unknown, exit 11: when that is decided, and how, is told", async () => {
  const { code, err, sent } = await over(
    ({ path }) => (path === call ? "failBefore" : undefined),
    ["--settle", "50ms"],
  );
  expect([code, sent], err).toEqual([11, [0, 0]]);
  expect(err).toMatch(
    /msg message list --since \S+; if it is not there after \d{4}-\S+, it was not sent/,
  );
});

test("--settle 0 asks nothing more, and --no-tag finds nothing: exit 11, and what to do is told", async () => {
  const left = await over(first("dropAfter"), ["--settle", "0"]);
  expect([left.code, left.posts, left.sent], left.err).toEqual([11, 1, [1, 1]]);
  expect(left.err).toContain("msg message list");
  const bare = await over(first("dropAfter"), ["--no-tag"]);
  expect([bare.code, bare.posts, bare.sent], bare.err).toEqual([11, 2, [1, 1]]);
  expect(bare.err).toContain("without the run's mark nothing proves");
});

test.each<readonly [Harm, number, readonly number[]]>([
  ["dropAfter", 0, [1, 1]],
  ["dropBefore", 11, [0, 0]],
])(
  "N06 a token carries no signature: %s is looked for and never repeated",
  async (harm, code, sent) => {
    const env = await tokenEnv(open.it?.baseUrl ?? "", "message:read message:write");
    const ran = await over(first(harm), ["--settle", "200ms"], { env });
    expect([ran.code, ran.posts, ran.sent], ran.err).toEqual([code, 1, sent]);
    if (code === 11) expect(ran.err).toContain("nothing proves that it was not sent");
  },
);

test("N06 of a call that never came the messages are not made anew: long after it is told that nothing was sent, exit 9", async () => {
  const { code, err, posts, sent } = await over(({ path }) => {
    if (path !== call) return undefined;
    clock.aheadMs += 17 * minuteMs;
    return "dropBefore";
  });
  expect([code, posts, sent], err).toEqual([9, 1, [0, 0]]);
  expect(err).toContain("nothing was sent");
});

test("N01 a service that cannot be reached is exit 9, a refusal as a whole 10: nothing is scheduled", async () => {
  const closed = await over(undefined, [], { env: { MSG_BASE_URL: "http://127.0.0.1:1" } });
  expect([closed.code, closed.sent], closed.err).toEqual([9, [0, 0]]);
  const headers = { "content-type": "application/json" };
  const body = '{"errorCode":"NotEnoughBalance","errorMessage":"x"}';
  const poor = await over(first({ status: 402, headers, body }));
  expect([poor.code, poor.posts, poor.sent], poor.err).toEqual([10, 1, [0, 0]]);
});

test("P05 stopped while it is settled: exit 130, and it is told that it may have been scheduled", async () => {
  const stop = new AbortController();
  const lost = first("dropAfter");
  const { code, err, posts, sent } = await over(
    (passing) => {
      if (passing.method === "GET") stop.abort();
      return lost(passing);
    },
    [],
    { signal: stop.signal },
  );
  expect([code, posts, sent], err).toEqual([130, 1, [1, 1]]);
  expect(err).toContain("msg message list");
});

test("P05 stopped while the call is under way: the answer is waited for and shown, exit 130", async () => {
  const stop = new AbortController();
  const { code, err, json, sent } = await over(
    ({ path }) => {
      if (path === call) stop.abort();
      return undefined;
    },
    [],
    { signal: stop.signal, wait: (ms, signal) => delay(ms, undefined, signal && { signal }) },
  );
  expect([code, sent], err).toEqual([130, [1, 1]]);
  expect(json()).toMatchObject(told);
  expect(err).toContain("do not run it again");
});
