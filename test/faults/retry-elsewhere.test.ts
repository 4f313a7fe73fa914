/** A group of a list fails as a whole, and machines that know nothing of each other have a hand in its rows. */
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Ran, Shell } from "../support/msg.ts";
import { envFor, numbersOf, rowsOf, sending } from "./books.ts";
import { type Line, openLine } from "./line.ts";
import { codeOf, openRefusals, retrying } from "./refusals.ts";
import { onKind } from "./strangers.ts";

const { opened, nextBatch, machine, quotaOf, change } = openRefusals();

const words = sending("--json", "--group-size", "3", "--concurrency", "1");

/** A line on which the service finds the quota used up when it is asked for the nth time to send a group. */
const shortOn = (nth: number): Promise<Line> => {
  const sends = { count: 0 };
  return openLine({
    to: opened().baseUrl,
    on: async ({ path }, moment) => {
      if (!path.endsWith("/send")) return;
      if (moment === "arrived") sends.count += 1;
      if (sends.count === nth) await quotaOf(moment === "arrived" ? 1 : 1_000_000);
    },
  });
};

/** A list of so many rows, in groups of three. */
const listOf = (count: number) => {
  const first = nextBatch();
  const stdin = rowsOf(count, first);
  const env = envFor(opened());
  const over = async (line: Promise<Line>, at: Shell, argv: readonly string[]): Promise<Ran> => {
    const opens = await line;
    const ran = await at(argv, { stdin, env: envFor(opens) });
    await opens.stop();
    return ran;
  };
  return {
    stdin,
    env,
    over,
    sent: (): number[] => opened().countsOf(numbersOf(count, first)),
    send: (at: Shell, argv = words) => at(argv, { stdin, env }),
    /** The run whose nth group failed as a whole. */
    fail: async (nth: number, at: Shell, argv = words): Promise<string> => {
      const ran = await over(shortOn(nth), at, argv);
      expect(ran.code, ran.err).toBe(10);
      return JSON.parse(ran.out).run;
    },
    retry: (at: Shell, run: string) => at(retrying(run), { env }),
  };
};

const told = (ran: Ran): unknown => [ran.code, codeOf(ran.err)];

test("another machine sends the rows as part of the list: they are not retried", async () => {
  const { fail, send, retry, sent } = listOf(6);
  const at = machine();
  const run = await fail(2, at);
  const ran = await send(machine());
  expect([ran.code, sent()], ran.err).toEqual([0, [1, 1, 1, 1, 1, 1]]);
  const retried = await retry(at, run);
  expect(told(retried), retried.err).toEqual([7, "Retried"]);
  expect(sent()).toEqual([1, 1, 1, 1, 1, 1]);
});

test("rows of a run that stopped fail in another one, and are retried: the first one does not send them", async () => {
  const { fail, retry, sent, env } = listOf(9);
  const [one, other] = [machine(), machine()];
  const stopped = await fail(2, one);
  const failed = await fail(2, other);
  const retried = await retry(other, failed);
  expect(retried.code, retried.err).toBe(0);
  expect(sent()).toEqual([1, 1, 1, 1, 1, 1, 1, 1, 1]);
  const resumed = await one(["send-many", "--resume", stopped, "--json"], { env });
  expect(told(resumed), resumed.err).toEqual([7, "Retried"]);
  expect(sent()).toEqual([1, 1, 1, 1, 1, 1, 1, 1, 1]);
});

test("another machine sends the plan whose group failed here: its rows are not retried", async () => {
  const { fail, send, retry, sent } = listOf(3);
  const at = machine();
  const plan = join(at.folder, "july.msgplan");
  expect((await send(at, [...words, "--plan-out", plan])).code).toBe(0);
  const run = await fail(1, at, ["send-many", "--plan", plan, "--json"]);
  const ran = await send(machine(), ["send-many", "--plan", plan, "--json"]);
  expect([ran.code, sent()], ran.err).toEqual([0, [1, 1, 1]]);
  const retried = await retry(at, run);
  expect(told(retried), retried.err).toEqual([7, "Retried"]);
  expect(sent()).toEqual([1, 1, 1]);
});

test("the list fails on two machines, and is retried on both: its rows go out once", async () => {
  const { fail, retry, sent } = listOf(3);
  const [one, other] = [machine(), machine()];
  const runs = [await fail(1, one), await fail(1, other)];
  const first = await retry(one, runs[0] ?? "");
  expect([first.code, sent()], first.err).toEqual([0, [1, 1, 1]]);
  const second = await retry(other, runs[1] ?? "");
  expect(told(second), second.err).toEqual([7, "Retried"]);
  expect(sent()).toEqual([1, 1, 1]);
});

test("the group of a send in doubt was deleted for a list whose rows were retried: nothing is in doubt", async () => {
  const { fail, over, retry, sent, env } = listOf(3);
  const [one, other] = [machine(), machine()];
  const lossy = openLine({ to: opened().baseUrl, harm: onKind("send", "dropBefore") });
  const lost = await over(lossy, one, [...words, "--settle", "1m"]);
  expect(lost.code, lost.err).toBe(11);
  const run = await fail(1, other);
  expect((await retry(other, run)).code).toBe(0);
  const resumed = await one("send-many --resume last --json", { env });
  expect(told(resumed), resumed.err).toEqual([7, "Retried"]);
  expect(resumed.json()).toMatchObject({ unknown: 0, notSent: 3 });
  expect(sent()).toEqual([1, 1, 1]);
});

test("a row that was refused in a group of its own and in one of another run was not sent twice", async () => {
  const first = nextBatch();
  const [refused, ...others] = numbersOf(3, first);
  const from = "0344444444";
  const rows = others.map((it) => `${it},0200000000`);
  const stdin = `to,from\n${[`${refused},${from}`, ...rows].join("\n")}\n`;
  const many = ["send-many", "-", "--text", "x", "--json", "--concurrency", "1"];
  const line = await shortOn(1);
  const one = machine();
  const stopped = await one([...many, "--chunk", "1", "--group-size", "1"], {
    ...{ stdin, env: envFor(line) },
  });
  await line.stop();
  expect(stopped.code, stopped.err).toBe(10);
  const env = envFor(opened());
  expect((await machine()(many, { stdin, env })).code).toBe(3);
  const resumed = await one("send-many --resume last --json", { env });
  expect(told(resumed), resumed.err).toEqual([3, "PartlyRefused"]);
  expect(resumed.json()).toMatchObject({ accepted: 2, refused: 1, notSent: 0 });
  expect(opened().countsOf(others)).toEqual([1, 1]);
});

test.each(["run export last --status delivered", "send-many --retry-refused last"])(
  "%s: messages that the service does not list are neither delivered nor refused",
  async (argv) => {
    const { fail, sent } = listOf(3);
    const at = machine();
    await fail(1, at);
    const none = (body: string) => JSON.stringify({ ...JSON.parse(body), messageList: {} });
    const line = await openLine({
      to: opened().baseUrl,
      harm: ({ path }) => (path === "/messages/v4/list" ? { rewrite: none } : undefined),
    });
    const ran = await at(`${argv} --json`, { env: envFor(line) });
    await line.stop();
    expect([ran.code, ran.out, codeOf(ran.err)], ran.err).toEqual([10, "", "MessagesUnlisted"]);
    expect(sent()).toEqual([0, 0, 0]);
  },
);

const orders = [
  ["refused", "failed"],
  ["failed", "refused"],
] as const;

test.each(orders)(
  "of a retry, what was %s is sent again, and what was %s behind it",
  async (...order) => {
    const at = machine();
    const env = envFor(opened());
    const unreachable = order[0] === "failed" ? "01000003047" : "01000003104";
    const numbers = numbersOf(5, nextBatch());
    const stdin = `to\n${unreachable}\n${numbers.join("\n")}\n`;
    const over = async (nth: number, words: readonly string[], input?: { stdin: string }) => {
      const line = await shortOn(nth);
      const ran = await at(words, { ...input, env: envFor(line) });
      await line.stop();
      expect(ran.code, ran.err).toBe(10);
      return JSON.parse(ran.out).run;
    };
    const list = await over(1, sending("--json"), { stdin });
    const run = await over(2, retrying(list, "--group-size", "3", "--concurrency", "1"));
    await at(["run", "watch", run], { env });
    for (const status of order) {
      const ran = await at(["send-many", `--retry-${status}`, run, "--json"], { env });
      expect(ran.code, ran.err).toBe(0);
    }
    expect(opened().countsOf([unreachable, ...numbers])).toEqual([2, 1, 1, 1, 1, 1]);
  },
);

test("rows that were refused one by one on two machines, in groups that were never sent, are retried by one", async () => {
  const from = "0344444444";
  const numbers = numbersOf(3, nextBatch());
  const stdin = `to\n${numbers.join("\n")}\n`;
  const env = envFor(opened());
  const [one, other] = [machine(), machine()];
  for (const at of [one, other]) {
    const argv = ["send-many", "-", "--from", from, "--text", "x", "--json"];
    const ran = await at(argv, { stdin, env });
    expect(ran.code, ran.err).toBe(3);
  }
  await change({ sender: from });
  const retried = await one(retrying("last"), { env });
  expect(retried.code, retried.err).toBe(0);
  const again = await other(retrying("last"), { env });
  expect(told(again), again.err).toEqual([7, "Retried"]);
  expect(opened().countsOf(numbers)).toEqual([1, 1, 1]);
});

test("a retry that waits for its hour has sent nothing, and whoever it stops hears of the hour", async () => {
  const { fail, send, sent, env } = listOf(3);
  const at = machine();
  const run = await fail(1, at);
  const scheduled = await at(retrying(run, "--at", "+2h"), { env });
  expect(scheduled.code, scheduled.err).toBe(0);
  const stopped = await send(machine());
  expect([...[told(stopped)].flat(), sent()], stopped.err).toEqual([7, "Retried", [0, 0, 0]]);
  expect(stopped.err).toContain("the same rows are scheduled for ");
});

test("a retry that was begun on a machine that is lost: the hint leaves its rows to the list", async () => {
  const { fail, over, send, sent, env } = listOf(3);
  const [lost, other] = [machine(), machine()];
  const run = await fail(1, lost);
  const cut = openLine({ to: opened().baseUrl, harm: onKind("send", "dropBefore") });
  const begun = await over(cut, lost, retrying(run, "--settle", "1m"));
  expect(begun.code, begun.err).toBe(11);
  const stopped = await send(other);
  expect(told(stopped), stopped.err).toEqual([7, "Retried"]);
  const [, hint = ""] = /msg (group delete \w+)/.exec(stopped.err) ?? [];
  const deleted = await other(`${hint} -y --json`, { env });
  expect(deleted.code, deleted.err).toBe(0);
  const ran = await send(other);
  expect([ran.code, sent()], ran.err).toEqual([0, [1, 1, 1]]);
  const late = await lost("send-many --resume last --json", { env });
  expect([...[told(late)].flat(), sent()], late.err).toEqual([7, "Retried", [1, 1, 1]]);
});

test.each([["--direct"], ["--no-tag"]])(
  "what a group that failed as a whole held is not retried with %s: nothing would keep it from going out twice",
  async (flag) => {
    const { fail, sent, env } = listOf(3);
    const at = machine();
    const run = await fail(1, at);
    const ran = await at(retrying(run, flag), { env });
    expect([ran.code, sent()], ran.err).toEqual([2, [0, 0, 0]]);
    const meant = await at(retrying(run, flag, "--again"), { env });
    expect([meant.code, sent()], meant.err).toEqual([0, [1, 1, 1]]);
  },
);
