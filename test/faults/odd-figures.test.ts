/** Figures that are none, where money and quota are read: no ceiling is passed by them, and no run ends as a fault. */
import { expect, test } from "vitest";
import { hurried } from "../support/clock.ts";
import { shell } from "../support/msg.ts";
import { envFor, numbersOf, rowsOf, sending } from "./books.ts";
import { openLine } from "./line.ts";
import { oneService } from "./one-service.ts";

const { opened, nextBatch } = oneService();

interface Odd {
  readonly path: RegExp;
  readonly from: RegExp;
  readonly to: string;
}

/** A command over a line that says something else of one thing. */
const over = async (
  { path: where, from, to }: Odd,
  words: (first: number) => readonly string[],
  stdin?: (first: number) => string,
) => {
  const it = opened();
  const first = nextBatch();
  const rewrite = (body: string): string => body.replaceAll(from, to);
  const line = await openLine({
    to: it.baseUrl,
    harm: ({ path }) => (where.test(path) ? { rewrite } : undefined),
  });
  const at = shell({ env: envFor(line), ...hurried() });
  const ran = await at(words(first), stdin && { stdin: stdin(first) });
  await line.stop();
  const sent = it.countsOf(numbersOf(3, first));
  return { ...ran, sent };
};

const one = (first: number): readonly string[] => [
  "send",
  "--to",
  numbersOf(1, first)[0] ?? "",
  "--from",
  "0200000000",
  "--text",
  "x",
  "--json",
];

test.each(["null", "-20", '""', "{}"])(
  "a price that is %s is not known: with a ceiling it is a refusal, exit 7",
  async (to) => {
    const price = { path: /pricing/, from: /"sms":[\d.]+/g, to: `"sms":${to}` };
    const single = await over(price, (first) => [...one(first), "--max-cost", "1"]);
    const ceiling = () => sending("--json", "--max-cost", "1");
    const run = await over(price, ceiling, (first) => rowsOf(3, first));
    for (const { code, err, sent } of [single, run]) {
      expect([code, sent], err).toEqual([7, [0, 0, 0]]);
      expect(err).toContain("there is a cost ceiling, but the price of a message is not known");
    }
  },
);

test.each([
  ["the balance", { path: /cash/, from: /"(balance|point)":\d+/g, to: '"$1":null' }],
  ["the quota", { path: /quota\/v1\/me$/, from: /"quota":\d+/g, to: '"quota":null' }],
  [
    "the statistics of a day",
    { path: /statistics$/, from: /"dayPeriod":\[/g, to: '"dayPeriod":[null,' },
  ],
])("%s without a figure stops no run", async (_, odd) => {
  const { code, err, sent } = await over(
    odd,
    () => sending("--json"),
    (first) => rowsOf(3, first),
  );
  expect([code, sent], err).toEqual([0, [1, 1, 1]]);
});

test("null in the place of a refused row of send --at is no fault: it is scheduled, exit 3", async () => {
  const list = {
    path: /detail$/,
    from: /"failedMessageList":\[/g,
    to: '"failedMessageList":[null,',
  };
  const at = new Date(Date.now() + 86_400_000).toISOString();
  const { code, err, json } = await over(list, (first) => [
    ...one(first),
    ...["--to", "01000001020", "--at", at],
  ]);
  expect([code, json()], err).toEqual([3, expect.objectContaining({ status: "SCHEDULED" })]);
});

test("null in the place of a result of an add is no fault: its counts are what counts", async () => {
  const results = {
    path: /groups\/\w+\/messages$/,
    from: /"resultList":\[/g,
    to: '"resultList":[null,',
  };
  const { code, err, sent } = await over(
    results,
    () => sending("--staged", "--json"),
    (first) => rowsOf(3, first),
  );
  expect([code, sent], err).toEqual([0, [1, 1, 1]]);
});

test("a message of a run whose code cannot be read is not called refused, and not sent anew", async () => {
  const codes = {
    path: /messages\/v4\/list$/,
    from: /"statusCode":"1020"/g,
    to: '"statusCode":null',
  };
  const it = opened();
  const first = nextBatch();
  const line = await openLine({ to: it.baseUrl });
  const at = shell({ env: envFor(line), ...hurried() });
  await at(sending("--json"), { stdin: `${rowsOf(2, first)}01000001020\n` });
  await line.stop();
  const rewrite = (body: string): string => body.replaceAll(codes.from, codes.to);
  const odd = await openLine({
    to: it.baseUrl,
    harm: ({ path }) => (codes.path.test(path) ? { rewrite } : undefined),
  });
  const retried = await at("send-many --retry-refused last --json", { env: envFor(odd) });
  await odd.stop();
  expect([retried.code, JSON.parse(retried.err).error.code]).toEqual([2, "NoRows"]);
});
