/** --resume with the source in place of the run's folder: its groups at the service tell which run it is. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ended, freshFolder } from "../e2e/program.ts";
import { hurried } from "../support/clock.ts";
import { shell } from "../support/msg.ts";
import { atHome } from "./at-home.ts";
import { envFor, numbersOf, openService, rowsOf, sending } from "./books.ts";
import { openLine } from "./line.ts";
import { oneService } from "./one-service.ts";

const { opened, nextBatch } = oneService();
const rows = 6;
const once = Array.from({ length: rows }, () => 1);

/** A program with a list in its folder, and what there is to say to send it. */
const machine = (first: number) => {
  const msg = atHome();
  const file = join(msg.folder, "list.csv");
  writeFileSync(file, rowsOf(rows, first));
  const flags = ["--from", "0200000000", "--text", "x", "--json"];
  const words = (...more: readonly string[]): readonly string[] => {
    return ["send-many", file, ...flags, "--chunk", "2", "--group-size", "2", ...more];
  };
  return { msg, words };
};

/** Killed when this send of it arrives, which the service does not get. */
const killedAtSend = async (first: number, nth: number, ...more: readonly string[]) => {
  const { msg, words } = machine(first);
  const killing = { sends: 0, kill: (): void => undefined };
  const line = await openLine({
    to: opened().baseUrl,
    harm: ({ path }) =>
      path.endsWith("/send") && killing.sends >= nth - 1 ? "dropBefore" : undefined,
    on: ({ path }, moment) => {
      if (moment !== "arrived" || !path.endsWith("/send")) return;
      killing.sends += 1;
      if (killing.sends === nth) killing.kill();
    },
  });
  const child = msg.start(words(...more), { env: envFor(line) });
  killing.kill = () => child.kill("SIGKILL");
  await ended(child);
  await line.stop();
  return { msg, words };
};

/** The id of a run of which two of six rows were sent. */
const halfSent = async (first: number, ...more: readonly string[]): Promise<string> => {
  const { msg } = await killedAtSend(first, 2, ...more);
  const listed = await msg(["run", "list", "--json"]);
  return JSON.parse(listed.out)[0].run;
};

const laterLine = () =>
  openLine({ to: opened().baseUrl, date: () => new Date(Date.now() + 120_000) });
const errorOf = (err: string): unknown => JSON.parse(err.trim().split("\n").at(-1) ?? "{}").error;

test.each([
  ["a run", [], []],
  ["one that sends once more what was sent before", ["--again"], []],
  ["one with a key", ["--once", "july"], ["--once", "july"]],
] as const)(
  "%s goes on by its id or as last, on a machine that has nothing of it",
  async (_, more, key) => {
    const first = nextBatch();
    const sent = (): number[] => opened().countsOf(numbersOf(rows, first));
    const run = await halfSent(first, ...more);
    expect(sent()).toEqual([1, 1, 0, 0, 0, 0]);
    const line = await laterLine();
    const env = envFor(line);
    const { msg, words } = machine(first);
    const told = await msg(words("--resume", run, ...key), { env });
    expect([told.code, sent()], told.err).toEqual([0, once]);
    expect(JSON.parse(told.out)).toMatchObject({ state: "done", accepted: rows });
    const other = machine(first);
    const again = await other.msg(other.words("--resume", "last", ...key), { env });
    await line.stop();
    expect([again.code, sent()], again.err).toEqual([0, once]);
    expect(again.err).toMatch(/already sent at .* by run .*; not sent again/);
  },
);

test("the part of a worker needs its --part, and the error says so", async () => {
  const first = nextBatch();
  const env = envFor(opened());
  const { msg, words } = machine(first);
  const { run } = JSON.parse((await msg(words("--part", "1/2"), { env })).out);
  const other = machine(first);
  const whole = await other.msg(other.words("--resume", run), { env });
  expect([whole.code, errorOf(whole.err)], whole.err).toMatchObject([
    2,
    { code: "OtherContent", hint: expect.stringContaining("--once and --part") },
  ]);
  const part = await other.msg(other.words("--resume", run, "--part", "1/2"), { env });
  expect(part.code, part.err).toBe(0);
});

test("others have sent a part, and the rest is not yet filled: reconciling does not call all of it sent", async () => {
  const first = nextBatch();
  await halfSent(first);
  const line = await openLine({
    to: opened().baseUrl,
    date: () => new Date(Date.now() + 120_000),
    harm: ({ method, path }) =>
      method === "POST" && path.endsWith("/groups") ? "dropBefore" : undefined,
  });
  // It tries for half a minute, by a clock that hurries.
  const at = shell({ env: envFor(line), ...hurried() });
  const stopped = await at(machine(first).words("--settle", "0"));
  expect(stopped.code, stopped.err).toBe(10);
  const looked = await at(["run", "reconcile", "last", "--json"]);
  await line.stop();
  expect([looked.code, opened().countsOf(numbersOf(rows, first))], looked.err).toEqual([
    0,
    [1, 1, 0, 0, 0, 0],
  ]);
  expect(JSON.parse(looked.out)).toMatchObject({ state: "open", accepted: 2, notSent: 4 });
});

test.each([
  ["a run", []],
  ["one with a key", ["--once", "august"]],
] as const)(
  "%s: reconciled when another machine has deleted its group and sent its rows, it says that they were sent",
  async (_, more) => {
    const first = nextBatch();
    const { msg, words } = await killedAtSend(first, 1, ...more);
    const line = await laterLine();
    const env = envFor(line);
    const other = machine(first);
    const taken = await other.msg(other.words(...more), { env });
    expect(taken.code, taken.err).toBe(0);
    const looked = await msg(["run", "reconcile", "last", "--json"], { env });
    expect([looked.code, looked.json()], looked.err).toMatchObject([0, { accepted: rows }]);
    const again = more.length > 0 ? words(...more) : ["send-many", "--resume", "last", "--json"];
    const ending = await msg(again, { env });
    await line.stop();
    const sent = opened().countsOf(numbersOf(rows, first));
    expect([ending.code, sent], ending.err).toEqual([0, once]);
    expect(JSON.parse(ending.out)).toMatchObject({ state: "done", accepted: rows });
  },
);

test("gone on with two days later it looks for what others have sent since it was planned", async () => {
  const ahead = { ms: 0 };
  const now = () => new Date(Date.now() + ahead.ms);
  const service = await openService(freshFolder(), now);
  const first = nextBatch();
  const given = { stdin: rowsOf(rows, first), env: envFor(service) };
  const [one, other] = [shell({ now }), shell({ now })];
  expect((await one(sending("--max-cost", "1"), given)).code).toBe(7);
  expect((await other(sending("--json"), given)).code).toBe(0);
  ahead.ms = 48 * 60 * 60_000;
  const { env } = given;
  const resumed = await one("send-many --resume last --max-cost 1000 --json", { env });
  const sent = service.countsOf(numbersOf(rows, first));
  await service.stop();
  expect([resumed.code, sent], resumed.err).toEqual([7, once]);
});

test("other rows, or a run that no group is of: nothing is sent, exit 2 and 6", async () => {
  const first = nextBatch();
  const run = await halfSent(first);
  const env = envFor(opened());
  const { msg, words } = machine(nextBatch());
  const other = await msg(words("--resume", run), { env });
  expect([other.code, errorOf(other.err)]).toMatchObject([2, { code: "OtherContent" }]);
  // Without the list it is named how this machine can resume it.
  const alone = await msg(["send-many", "--resume", run, "--json"], { env });
  expect(errorOf(alone.err)).toMatchObject({ code: "NoRun" });
  expect(alone.err).toContain(`msg send-many <file> --resume ${run}`);
  const none = await msg(words("--resume", "20260101-000000000-abcdef"), { env });
  expect([none.code, errorOf(none.err)]).toMatchObject([6, { code: "NoRun" }]);
  expect((await msg(["run", "list", "--json"])).out.trim()).toBe("[]");
  expect(opened().countsOf(numbersOf(rows, first))).toEqual([1, 1, 0, 0, 0, 0]);
});

test("where the folder is there it is gone on with, and other rows are refused", async () => {
  const first = nextBatch();
  const env = envFor(opened());
  const { msg, words } = machine(first);
  const stopped = await msg(words("--max-cost", "1"), { env });
  expect(stopped.code).toBe(7);
  const other = machine(nextBatch());
  const wrong = await msg([...other.words(), "--resume", "last"], { env });
  expect([wrong.code, errorOf(wrong.err)]).toMatchObject([2, { code: "OtherContent" }]);
  const told = await msg(words("--resume", "last", "--max-cost", "1000"), { env });
  expect([told.code, JSON.parse(told.out).run], told.err).toMatchObject([0, expect.any(String)]);
  expect(opened().countsOf(numbersOf(rows, first))).toEqual(once);
  expect(JSON.parse((await msg(["run", "list", "--json"])).out)).toHaveLength(1);
});
