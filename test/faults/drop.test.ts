/**
 * Every request of a run loses its answer, or suffers worse: each row is sent once. In `npm test` the first
 * request of each kind loses its answer, and 4,000 rows go over a lossy line; with `EVERY=1` every request,
 * and 20,000 rows.
 */
import { describe, expect, test } from "vitest";
import { hurried } from "../support/clock.ts";
import { type Shell, shell } from "../support/msg.ts";
import { countOf, isEvery, share } from "../support/share.ts";
import { envFor, numbersOf, rowsOf, sending } from "./books.ts";
import { type Harm, kindOf, type LineOptions, losingAt, openLine, type Passing } from "./line.ts";
import { oneService } from "./one-service.ts";
import { several } from "./several.ts";
import { onKind } from "./strangers.ts";
import { tokenEnv } from "./tokens.ts";

const { opened, nextBatch } = oneService();

type LineHarm = NonNullable<LineOptions["harm"]>;

/** One run over a harmed line, without its pauses: its end, and how often each of its rows was sent. */
const runOver = (harm: LineHarm, rows: number, ...flags: readonly string[]) =>
  runOn(shell(hurried()), harm, rows, ...flags);

const runOn = async (at: Shell, harm: LineHarm, rows: number, ...flags: readonly string[]) => {
  const it = opened();
  const first = nextBatch(rows);
  const line = await openLine({ to: it.baseUrl, harm });
  const stdin = rowsOf(rows, first);
  const ended = await at(sending(...flags), { stdin, env: envFor(line) });
  await line.stop();
  const books = it.books();
  const sent = numbersOf(rows, first).map((to) => books.get(to) ?? 0);
  return { code: ended.code, err: ended.err, sent, requests: line.requests };
};

const once = (rows: number): number[] => Array.from({ length: rows }, () => 1);

const paths = {
  "G of one part": [],
  G: ["--staged", "--chunk", "2", "--group-size", "4", "--concurrency", "1"],
  direct: ["--direct", "--chunk", "3", "--concurrency", "1"],
} as const;

/** Which requests of a run are harmed, by their numbers: each row is sent once all the same. */
const endsWell = async (
  harmed: readonly number[],
  harm: Harm,
  rows: number,
  flags: readonly string[],
): Promise<void> => {
  const isHarmed = ({ number }: { readonly number: number }) => harmed.includes(number);
  // What is performed late comes before the next attempt.
  const { code, sent, err } = await runOn(
    shell(harm === "late" ? {} : hurried()),
    (it) => (isHarmed(it) ? harm : undefined),
    rows,
    ...flags,
  );
  expect({ harmed, code, sent }, err).toEqual({ harmed, code: 0, sent: once(rows) });
};

const lostBefore = new Set<string>();
/** Of kinds that no earlier path has lost an answer to. */
const firstOfEachKind = (requests: readonly Passing[]): readonly Passing[] =>
  requests.filter((it) => {
    const isFirst = !lostBefore.has(kindOf(it));
    lostBefore.add(kindOf(it));
    return isFirst;
  });

describe.each(Object.entries(paths))("path %s", (name, flags) => {
  const rows = 6;
  const seen: { calm?: ReturnType<typeof runOver> } = {};
  const calm = () => {
    seen.calm ??= runOver(() => undefined, rows, ...flags);
    return seen.calm;
  };

  test("N06 the answer to any one request is lost: exit 0, each row once", async () => {
    const { code, sent, requests } = await calm();
    expect({ code, sent }).toEqual({ code: 0, sent: once(rows) });
    const meant = isEvery ? requests : firstOfEachKind(requests);
    await several(meant, ({ number }) => endsWell([number], "dropAfter", rows, flags));
  }, 120_000);

  const worse: readonly (readonly [string, Harm])[] = [
    ["N04 N05 lost before it is performed", "dropBefore"],
    ["N08 S07 performed twice, and the refusal of the second copy comes back", "double"],
    ["N09 cut in the middle of its answer", "cut"],
    ["N07 performed late", "late"],
    ["S02 answered with a proxy's 503", "failBefore"],
  ];
  test.each(worse)("%s: any one write, exit 0 and each row once", async (what, harm) => {
    const writes = (await calm()).requests.filter((it) => it.method !== "GET");
    const some = name === "G" ? [...writes.slice(0, 3), ...writes.slice(-1)] : writes.slice(0, 1);
    const turn = worse.findIndex(([it]) => it === what);
    await several(share(some, 2, turn), ({ number }) => endsWell([number], harm, rows, flags));
  });
});

/** One place of the service answers something else than what it should. */
const oddAt = (place: string) => {
  const headers = { "content-type": "application/json" };
  const odd = { status: 200, headers, body: "{}" };
  return runOver(({ method, path }) => (method === "GET" && path === place ? odd : undefined), 2);
};

test.each(["/quota/v1/me", "/messages/v4/statistics"])(
  "%s answers something else: the guard of the quota is left out, and the run goes on",
  async (place) => {
    const { code, sent, err } = await oddAt(place);
    expect([code, sent], err).toEqual([0, once(2)]);
  },
);

test("/messages/v4/groups answers something else: who else sends the rows is not known, and nothing is sent", async () => {
  const { code, sent, err, requests } = await oddAt("/messages/v4/groups");
  expect([code, sent], err).toEqual([10, [0, 0]]);
  expect(requests.filter(({ method }) => method !== "GET")).toEqual([]);
});

test("N06 msg send: the answer is lost, it is settled within --settle: exit 0, one message", async () => {
  const it = opened();
  for (const harm of ["dropAfter", "cut", "failAfter", "late"] as const) {
    const to = numbersOf(1, nextBatch())[0] ?? "";
    const line = await openLine({
      to: it.baseUrl,
      harm: onKind("call", harm, (at) => at === 0),
    });
    const words = ["send", "--to", to, "--from", "0200000000", "--text", "x", "--settle", "8s"];
    const ended = await shell()([...words, "--json"], { env: envFor(line) });
    await line.stop();
    expect({ harm, code: ended.code, sent: it.books().get(to) }, ended.err).toEqual({
      ...{ harm, code: 0, sent: 1 },
    });
  }
});

test("msg send --settle 0 leaves at once what got no answer: exit 11, and nothing more is asked of the service", async () => {
  const it = opened();
  const to = numbersOf(1, nextBatch())[0] ?? "";
  const line = await openLine({ to: it.baseUrl, harm: onKind("call", "dropAfter") });
  const words = ["send", "--to", to, "--from", "0200000000", "--text", "x", "--settle", "0"];
  const ended = await shell(hurried())(words, { env: envFor(line) });
  await line.stop();
  const asked = line.requests.map(({ method }) => method);
  expect([ended.code, asked, it.books().get(to)], ended.err).toEqual([11, ["GET", "POST"], 1]);
  expect(ended.err).toContain("msg message list");
});

test.each<readonly [Harm, number, number | undefined]>([
  ["dropAfter", 0, 1],
  ["dropBefore", 11, undefined],
])(
  "N06 msg send with a token, %s: it is looked for, and never repeated",
  async (harm, code, sent) => {
    const it = opened();
    const to = numbersOf(1, nextBatch())[0] ?? "";
    const env = await tokenEnv(it.baseUrl, "message:read message:write");
    const line = await openLine({
      to: it.baseUrl,
      harm: ({ method }) => (method === "POST" ? harm : undefined),
    });
    const words = ["send", "--to", to, "--from", "0200000000", "--text", "x", "--settle", "1s"];
    const ended = await shell(hurried())([...words, "--json"], {
      env: { ...envFor(line), ...env },
    });
    await line.stop();
    expect([ended.code, it.books().get(to)], ended.err).toEqual([code, sent]);
    expect(line.requests.filter(({ method }) => method === "POST")).toHaveLength(1);
    if (code === 11) expect(ended.err).toContain("nothing proves that it was not sent");
  },
);

test("S01 a 500 that was performed nowhere leaves a send unknown, exit 11, and is never sent anew", async () => {
  const it = opened();
  const to = numbersOf(1, nextBatch())[0] ?? "";
  const line = await openLine({
    to: it.baseUrl,
    harm: ({ method }) => (method === "POST" ? "failBefore" : undefined),
  });
  const words = ["send", "--to", to, "--from", "0200000000", "--text", "x", "--settle", "1s"];
  const ended = await shell()(words, { env: envFor(line) });
  await line.stop();
  expect(ended.code).toBe(11);
  expect(it.books().get(to)).toBeUndefined();
  expect(ended.err).toContain("it was not sent");
});

test.concurrent.each(Object.entries(paths))(
  "N06 path %s: 30 in 100 answers are lost: the run ends by itself, each row once",
  async (_, flags) => {
    const rows = 40;
    const { code, sent, err } = await runOver(losingAt(1), rows, ...flags);
    expect({ code, sent }, err).toEqual({ code: 0, sent: once(rows) });
  },
  120_000,
);

const manyRows = countOf(20_000, 4_000);

test.concurrent(`N06 ${manyRows} rows over a line that loses 30 % of all answers: the run ends by itself, each row once`, async () => {
  const chunk = String(manyRows / 10);
  const found = await runOver(losingAt(2), manyRows, "-y", "--staged", "--chunk", chunk);
  const wrong = found.sent.filter((count) => count !== 1).length;
  expect({ code: found.code, wrong }, found.err).toEqual({ code: 0, wrong: 0 });
}, 120_000);

test("N01 nobody answers any more in the middle of a run: no word says that nothing of it was sent, or to run it again", async () => {
  const it = opened();
  const first = nextBatch(4);
  const gone: { stop?: () => Promise<void> } = {};
  const line = await openLine({
    to: it.baseUrl,
    on: ({ path }, moment) => {
      if (path.endsWith("/send-many") && moment === "answered") void gone.stop?.();
    },
  });
  gone.stop = line.stop;
  const at = shell({ env: envFor(line), ...hurried() });
  const flags = ["--direct", "--chunk", "2", "--concurrency", "1", "--json"];
  const { code, err, json } = await at(sending(...flags), { stdin: rowsOf(4, first) });
  expect([code, json()], err).toEqual([9, expect.objectContaining({ accepted: 2, notSent: 2 })]);
  const { error } = JSON.parse(err);
  expect(error).toMatchObject({ outcome: "partial", retryable: false });
  expect(error.message).toContain("; 2 accepted, 2 not sent");
  expect(error.hint).toMatch(/^resume: msg send-many --resume /);
});
