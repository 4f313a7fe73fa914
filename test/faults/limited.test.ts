/** A service that asks a run to slow down: it is waited for as long as it says, and each row is sent once. */
import { describe, expect, test } from "vitest";
import { shell } from "../support/msg.ts";
import { envFor, numbersOf, rowsOf, sending } from "./books.ts";
import { type LineOptions, openLine, type Refused } from "./line.ts";
import { oneService } from "./one-service.ts";

const { opened, nextBatch } = oneService();

const limit = (headers: Refused["headers"] = {}): Refused => ({
  status: 429,
  headers,
  body: '{"errorCode":"TooManyRequests","errorMessage":"slow down"}',
});

/** Six rows over a line, by clocks on which every wait is over at once; and how long was waited. */
const runOver = async (harm: LineOptions["harm"], ...flags: readonly string[]) => {
  const it = opened();
  const first = nextBatch();
  const line = await openLine({ to: it.baseUrl, ...(harm && { harm }) });
  const clock = { aheadMs: 0 };
  const waits: number[] = [];
  const at = shell({
    env: envFor(line),
    ticks: () => clock.aheadMs,
    wait: async (ms) => {
      clock.aheadMs += ms;
      waits.push(ms);
    },
  });
  const ended = await at(sending("--json", ...flags), { stdin: rowsOf(6, first) });
  const sent = (): number[] => it.countsOf(numbersOf(6, first));
  return { ...ended, at, line, sent, waitedMs: waits.reduce((sum, ms) => sum + ms, 0) };
};

const once = [1, 1, 1, 1, 1, 1];
const none = [0, 0, 0, 0, 0, 0];

/** The writes of each path that carry a signature of their own, and one that does not. */
const paths = {
  "a call of path direct": { flags: ["--direct", "--chunk", "2"], isHit: /POST .*\/send-many/ },
  "an add": { flags: ["--staged", "--chunk", "2"], isHit: /PUT .*\/messages$/ },
  "the send of a group": { flags: ["--staged", "--chunk", "2"], isHit: /POST .*\/send$/ },
} as const;

/** The first so many requests of a kind are answered with 429. */
const limiting = (isHit: RegExp, answer: () => Refused, times = 1): LineOptions["harm"] => {
  const seen = { count: 0 };
  return ({ method, path }) => {
    if (!isHit.test(`${method} ${path}`) || seen.count >= times) return undefined;
    seen.count += 1;
    return answer();
  };
};

describe.each(Object.entries(paths))("S03 429 at %s", (_, { flags, isHit }) => {
  const inSeconds = (seconds: number): string => new Date(seconds * 1_000).toUTCString();
  const answers: readonly (readonly [string, () => Refused, number])[] = [
    ["Retry-After in seconds", () => limit({ "retry-after": "20" }), 20_000],
    [
      "Retry-After as a date, by the service's clock",
      () => limit({ date: inSeconds(1e9), "retry-after": inSeconds(1e9 + 25) }),
      25_000,
    ],
    ["no Retry-After", () => limit(), 1_000],
    // Anyone may have written it: what became of the request is found out, and nothing else is waited for.
    ["no body", () => ({ ...limit(), body: "" }), 0],
  ];
  test.each(answers)("%s: it is waited, exit 0, each row once", async (_name, answer, leastMs) => {
    const { code, err, line, sent, waitedMs } = await runOver(limiting(isHit, answer), ...flags);
    await line.stop();
    expect({ code, sent: sent() }, err).toEqual({ code: 0, sent: once });
    expect(waitedMs).toBeGreaterThanOrEqual(leastMs);
    expect(waitedMs).toBeLessThan(60_000);
  });

  test("an absurd Retry-After is not waited for but told: exit 10, and --resume goes on", async () => {
    const harm = limiting(isHit, () => limit({ "retry-after": "86400" }));
    const { code, err, at, line, sent, waitedMs } = await runOver(
      harm,
      "--concurrency",
      "1",
      ...flags,
    );
    expect(code, err).toBe(10);
    expect(err).toMatch(/asks to wait 1 d, longer than msg waits/);
    expect(err).toContain("--resume");
    expect([sent(), waitedMs < 60_000]).toEqual([none, true]);
    const resumed = await at("send-many --resume last --json");
    await line.stop();
    expect({ code: resumed.code, sent: sent() }, resumed.err).toEqual({ code: 0, sent: once });
  });

  test("S04 429 for ever: five tries, exit 10, nothing sent, and --resume goes on", async () => {
    const harm = limiting(isHit, () => limit(), 5);
    const { code, err, at, line, sent } = await runOver(harm, "--concurrency", "1", ...flags);
    const hits = line.requests.filter((it) => isHit.test(`${it.method} ${it.path}`));
    expect({ code, hits: hits.length, sent: sent() }, err).toEqual({
      code: 10,
      hits: 5,
      sent: none,
    });
    expect(JSON.parse(err.trim().split("\n").at(-1) ?? "").error).toMatchObject({
      code: "TooManyRequests",
      outcome: "not_sent",
    });
    const resumed = await at("send-many --resume last --json");
    await line.stop();
    expect({ code: resumed.code, sent: sent() }, resumed.err).toEqual({ code: 0, sent: once });
  });
});

test("S03 after a 429 the run goes on more slowly, and it is said how long is waited", async () => {
  const flags = ["--direct", "--chunk", "1"];
  const calm = await runOver(undefined, ...flags);
  const slow = await runOver(
    limiting(/POST/, () => limit({ "retry-after": "20" })),
    ...flags,
  );
  await calm.line.stop();
  await slow.line.stop();
  expect(slow.err).toContain("the service asks to slow down: continuing in 20 s");
  expect([slow.sent(), calm.sent()]).toEqual([once, once]);
  expect(slow.waitedMs - calm.waitedMs).toBeGreaterThan(20_000 + 4 * 1_000 - 1);
});

test("S03 429 at a repeat behind the fence, and at its probe, is waited for: each row once", async () => {
  const seen = { posts: 0, reads: 0 };
  const { code, err, line, sent } = await runOver(({ method, path }) => {
    if (method === "POST") seen.posts += 1;
    if (method === "GET" && path.endsWith("/list")) seen.reads += 1;
    if (method === "POST")
      return seen.posts === 1 ? "dropBefore" : seen.posts === 2 ? limit() : undefined;
    return seen.reads === 1 && path.endsWith("/list") ? limit() : undefined;
  }, "--direct");
  await line.stop();
  expect({ code, ...seen, sent: sent() }, err).toEqual({ code: 0, posts: 3, reads: 4, sent: once });
});

test("an absurd Retry-After at the read before a call is reported, and not waited for: exit 10", async () => {
  const seen = { count: 0 };
  const harm: LineOptions["harm"] = ({ method, path }) => {
    if (!/GET .*\/balance$/.test(`${method} ${path}`)) return undefined;
    seen.count += 1;
    // The guards read it first.
    return seen.count > 1 ? limit({ "retry-after": "86400" }) : undefined;
  };
  const { code, err, line, sent, waitedMs } = await runOver(harm, "--direct", "--chunk", "2");
  await line.stop();
  expect({ code, sent: sent() }, err).toEqual({ code: 10, sent: none });
  expect(err).toMatch(/asks to wait 1 d, longer than msg waits/);
  expect(waitedMs).toBeLessThan(60_000);
});

test("a group that was counted early, and is filled for longer than a doubt is waited for, is sent", async () => {
  const harm = limiting(/PUT .*\/messages$/, () => limit());
  const flags = ["--rate", "1", "--chunk", "1", "--settle", "3s"];
  const { code, err, line, sent, waitedMs } = await runOver(harm, ...flags);
  await line.stop();
  expect(waitedMs).toBeGreaterThan(3_000);
  expect({ code, sent: sent() }, err).toEqual({ code: 0, sent: once });
});
