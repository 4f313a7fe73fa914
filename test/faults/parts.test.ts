/** Several workers on one source, each with a part of its recipients: each row once, and none is left out. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { type Shell, shell } from "../support/msg.ts";
import { envFor, numbersOf, rowsOf, sending } from "./books.ts";
import { type Line, openLine, type Passing } from "./line.ts";
import { oneService } from "./one-service.ts";

const { opened, nextBatch } = oneService();
const rows = 24;

const list = () => {
  const first = nextBatch();
  const sent = (): number => opened().countsOf(numbersOf(rows, first)).filter(Boolean).length;
  const isOnce = (): boolean =>
    opened()
      .countsOf(numbersOf(rows, first))
      .every((it) => it <= 1);
  return { stdin: rowsOf(rows, first), sent, isOnce };
};

const words = (...more: readonly string[]) =>
  sending("--chunk", "2", "--group-size", "4", "--json", ...more);
const errorOf = (err: string) => JSON.parse(err.trim().split("\n").at(-1) ?? "{}").error;
const runsIn = (at: Shell): string[] =>
  readdirSync(join(at.folder, "state/runs")).filter((it) => /^\d/.test(it));
const isSend = ({ method, path }: Passing): boolean => method === "POST" && path.endsWith("/send");

const lines: Line[] = [];
afterEach(async () => {
  for (const line of lines.splice(0)) await line.stop();
});

const lineTo = async (options: Omit<Parameters<typeof openLine>[0], "to">): Promise<Line> => {
  const line = await openLine({ ...options, to: opened().baseUrl });
  lines.push(line);
  return line;
};

const work = async (part: string, stdin: string, ...more: readonly string[]) => {
  const at = shell();
  const ran = await at(words("--part", part, ...more), { stdin, env: envFor(opened()) });
  return { ...ran, at };
};

test("the parts add up to the whole: rows, duplicates and wrong rows are of one of them each", async () => {
  const { stdin, sent, isOnce } = list();
  const [, number = ""] = stdin.split("\n");
  const source = `${stdin}${number}\n${number.replace("010", "+82 10")}\nx\n`;
  const parts: Record<string, number>[] = [];
  for (const part of ["1/3", "2/3", "3/3"]) {
    const ran = await work(part, source, "--on-invalid", "skip");
    expect(ran.code, ran.err).toBe(0);
    const record = JSON.parse(ran.out);
    expect(record).toMatchObject({ part, state: "done", refused: 0, unknown: 0, notSent: 0 });
    parts.push(record);
  }
  const sumOf = (name: string): number => parts.reduce((sum, it) => sum + (it[name] ?? 0), 0);
  expect([sumOf("accepted"), sumOf("skipped"), sumOf("total")]).toEqual([rows, 3, rows + 3]);
  expect(parts.every(({ accepted = 0 }) => accepted > 0)).toBe(true);
  expect([sent(), isOnce()]).toEqual([rows, true]);
  const again = await work("2/3", source, "--on-invalid", "skip");
  expect([again.code, errorOf(again.err).code, runsIn(again.at)]).toEqual([7, "SentBefore", []]);
});

test("two parts of a list under one key, on one machine: each is sent", async () => {
  const { stdin, sent, isOnce } = list();
  const at = shell();
  for (const part of ["1/2", "2/2"]) {
    const ran = await at(words("--part", part, "--once", "june"), { stdin, env: envFor(opened()) });
    expect(ran.code, ran.err).toBe(0);
  }
  expect([sent(), isOnce()]).toEqual([rows, true]);
});

test("a part whose groups were deleted stops no run of the whole", async () => {
  const { stdin, sent } = list();
  const at = shell();
  const flags = ["--part", "1/2", "--settle", "0"];
  const env = envFor(await stopsBehind(0));
  expect((await at(words(...flags), { stdin, env })).code).toBe(11);
  expect((await at("run cancel last", { env: envFor(opened()) })).code).toBe(0);
  const whole = await shell()(words(), { stdin, env: envFor(opened()) });
  expect([whole.code, sent()], whole.err).toEqual([0, rows]);
});

test("a job says it in the environment, from 0; --part wins, and 1/1 is the whole", async () => {
  const { stdin, sent } = list();
  const at = (env: Readonly<Record<string, string>>, ...more: readonly string[]) =>
    shell()(words("-n", ...more), { stdin, env: { ...envFor(opened()), ...env } });
  const planOf = async (...given: Parameters<typeof at>) =>
    JSON.parse(
      (await at(...given)).out
        .replace(/"msg.run": "[^"]*"/g, '"msg.run": ""')
        // Messages of an earlier test may be delivered in between.
        .replace(/"quotaLeft": \d+/g, '"quotaLeft": 0'),
    );
  const job = await planOf({ JOB_COMPLETION_INDEX: "1", MSG_PARTS: "3" });
  expect(job.plan).toMatchObject({ part: "2/3", wholeMessages: rows });
  expect(await planOf({ MSG_PART: "2/3" })).toEqual(job);
  expect(await planOf({ MSG_PART: "3/3", JOB_COMPLETION_INDEX: "x" }, "--part", "2/3")).toEqual(
    job,
  );
  expect((await planOf({ JOB_COMPLETION_INDEX: "0", MSG_PARTS: "1" })).plan.messages).toBe(rows);
  expect(sent()).toBe(0);
});

test.each([
  [{ MSG_PART: "0/3" }, []],
  [{ MSG_PART: "4/3" }, []],
  [{}, ["--part", "x"]],
  [{}, ["--part", "1/1001"]],
  [{ JOB_COMPLETION_INDEX: "0" }, []],
  [{ MSG_PARTS: "3" }, []],
  [{ JOB_COMPLETION_INDEX: "3", MSG_PARTS: "3" }, []],
  [{ JOB_COMPLETION_INDEX: "x", MSG_PARTS: "3" }, []],
  [{}, ["--part", "1/3", "--direct"]],
  [{}, ["--part", "1/3", "--no-tag"]],
  [{ MSG_PART: "1/3" }, ["--canary", "2", "--canary-max-failed", "1"]],
  [{ MSG_PART: "1/3" }, ["--plan-out", "a.msgplan"]],
])("%j %j is no part that can be sent: exit 2, nothing is kept", async (env, more) => {
  const at = shell();
  const { stdin, sent } = list();
  const ran = await at(words(...more), { stdin, env: { ...envFor(opened()), ...env } });
  expect([ran.code, sent()], ran.err).toEqual([2, 0]);
  expect(errorOf(ran.err).hint).toMatch(/nothing was sent; (set|the third|one worker)/);
});

describe("the same rows in another number of parts: exit 7 with the group that says so, and nothing is sent", () => {
  test.each([
    ["1/3", ["--part", "1/2"], "part 1/3"],
    ["2/3", [], "part 2/3"],
    [undefined, ["--part", "1/2"], "without parts"],
  ] as const)("%s before, then %j", async (before, more, named) => {
    const { stdin, sent } = list();
    const env = envFor(opened());
    const parts = before === undefined ? [] : ["--part", before];
    const first = await shell()(words(...parts), { stdin, env });
    expect(first.code, first.err).toBe(0);
    const done = sent();
    const { groups } = JSON.parse(first.out);
    const at = shell();
    const { code, err } = await at(words(...more), { stdin, env });
    expect([code, sent(), runsIn(at)], err).toEqual([7, done, []]);
    const error = errorOf(err);
    expect(error).toMatchObject({ code: "OtherParts", outcome: "not_sent" });
    expect(error.message).toContain(named);
    expect(groups.some((it: string) => error.message.includes(it))).toBe(true);
  });
});

test("a worker that lost its folder sends what is left of its part alone; others' groups stay", async () => {
  const { stdin, sent, isOnce } = list();
  const open = await shell()(words("--part", "1/2", "--settle", "0"), {
    stdin,
    env: envFor(await stopsBehind(0)),
  });
  expect(open.code).not.toBe(0);
  const cut = await shell()(words("--part", "2/2", "--settle", "0"), {
    stdin,
    env: envFor(await stopsBehind(1)),
  });
  expect([cut.code === 0, sent() > 0]).toEqual([false, true]);
  const waiting = (): number =>
    opened().rows("SELECT seq FROM groups WHERE status = 'PENDING'").length;
  const before = waiting();
  const env = envFor(await laterLine());
  const rest = await shell()(words("--part", "2/2"), { stdin, env });
  expect([rest.code, isOnce()], rest.err).toEqual([0, true]);
  expect(waiting()).toBeGreaterThan(0);
  expect(waiting()).toBeLessThan(before);
  const first = await shell()(words("--part", "1/2"), { stdin, env });
  expect([first.code, sent(), isOnce()], first.err).toEqual([0, rows, true]);
});

/** A line on which it is two minutes later: a worker that was at work before has stopped. */
const laterLine = () => lineTo({ date: () => new Date(Date.now() + 120_000) });

/** A line over which so many groups are sent; the next ones are refused, and the run stops. */
const stopsBehind = async (most: number) => {
  const sends = { count: 0 };
  return lineTo({
    harm: (passing) => {
      if (isSend(passing)) sends.count += 1;
      return isSend(passing) && sends.count > most ? "dropBefore" : undefined;
    },
  });
};

test("ceilings and consent are about the whole, the balance about the part", async () => {
  const { stdin, sent } = list();
  const dear = await work("1/3", stdin, "--max-recipients", `${rows - 1}`);
  expect([dear.code, errorOf(dear.err).code, sent()]).toEqual([7, "TooManyRecipients", 0]);
  const cost = await work("1/3", stdin, "--max-cost", `${rows * 20 - 1}`);
  expect([cost.code, errorOf(cost.err).code, sent()]).toEqual([7, "CostAboveCeiling", 0]);
  const allowed = await work("1/3", stdin, "--max-recipients", `${rows}`);
  expect(allowed.code, allowed.err).toBe(0);
});

test("a part without a row is done at once: exit 0", async () => {
  const { stdin, sent } = list();
  const [header = "", number = ""] = stdin.split("\n");
  const ran: Awaited<ReturnType<typeof work>>[] = [];
  for (const part of ["1/2", "2/2"]) ran.push(await work(part, `${header}\n${number}\n`));
  const counts = ran.map(({ out }) => JSON.parse(out).accepted).sort();
  expect([ran.map(({ code }) => code), counts, sent()]).toEqual([[0, 0], [0, 1], 1]);
});

test("--resume goes on with the part of a run from its source, and with no other part", async () => {
  const { stdin, sent, isOnce } = list();
  const stopped = await shell()(words("--part", "1/2", "--settle", "0"), {
    stdin,
    env: envFor(await stopsBehind(1)),
  });
  expect(stopped.code).toBe(11);
  const env = envFor(await laterLine());
  const resumed = (part: string) =>
    shell()(words("--part", part, "--resume", "last"), { stdin, env });
  const wrong = await resumed("2/2");
  expect([wrong.code, errorOf(wrong.err).code]).toEqual([6, "NoRun"]);
  const right = await resumed("1/2");
  expect([right.code, isOnce()], right.err).toEqual([0, true]);
  expect(sent()).toBe(JSON.parse(right.out).accepted);
});

test("--rate and --concurrency are shared by the workers, at least 1 each", async () => {
  const { stdin } = list();
  const { at, code } = await work("1/3", stdin, "--rate", "600", "--concurrency", "2");
  expect(code).toBe(0);
  const [run = ""] = runsIn(at);
  const file = readFileSync(join(at.folder, "state/runs", run, "run.json"), "utf8");
  expect(JSON.parse(file)).toMatchObject({ rate: 200, concurrency: 1, part: { index: 1, of: 3 } });
});
