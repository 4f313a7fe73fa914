/** Runs that were left in the middle, and what is in their way when they are taken up again. */
import { expect, test } from "vitest";
import { fault } from "../commands/run/in-doubt.ts";
import { meanwhile } from "../support/money.ts";
import { type Shell, shell } from "../support/msg.ts";

const stdin = "to\n01000000001\n01000000002\n";
/** One row a group. */
const run = "send-many - --sandbox --from 0200000000 --text x --staged --chunk 1 --group-size 1";
const resume = "send-many --resume last --sandbox --json";

/** Waiting takes no time, by a clock that nobody sets. */
const hurried = () => {
  const clock = { ms: 0 };
  const wait = async (ms: number): Promise<void> => {
    clock.ms += ms;
  };
  return { wait, ticks: () => clock.ms };
};

const groupsOf = async (at: Shell): Promise<readonly [string, string]> =>
  JSON.parse((await at("run show last --sandbox --json")).out).groups;

test("a run that lost twelve groups to the line goes on when the line is better", async () => {
  const at = shell();
  await fault(at, "POST /messages/v4/groups", "drop-after", "--times", "12");
  const lost = await at(run, { stdin, ...hurried() });
  expect([lost.code, lost.err], lost.err).toEqual([10, expect.stringContaining("12 groups in a")]);
  const resumed = await at(resume, hurried());
  expect([resumed.code, resumed.json()], resumed.err).toEqual([
    0,
    expect.objectContaining({ state: "done", accepted: 2 }),
  ]);
});

test("a group that somebody deleted while nobody knew whether it was sent: it was not, and the others are", async () => {
  const at = shell();
  await fault(at, "POST /messages/v4/groups/*/send", "drop-before", "--times", "1");
  expect((await at(`${run} --settle 0`, { stdin })).code).toBe(11);
  const [first] = await groupsOf(at);
  expect((await at(`group delete ${first} --sandbox -y`)).code).toBe(0);
  const resumed = await at(resume);
  expect([resumed.code, resumed.json()], resumed.err).toEqual([
    10,
    expect.objectContaining({ state: "done", accepted: 1, notSent: 1, unknown: 0 }),
  ]);
  expect(resumed.err).toContain("someone else deleted a group of this run");
  const shown = await at("run show last --sandbox");
  expect(shown.err).toMatch(/1 not sent: msg run export \S+ --status not-sent lists them/);
});

test("a group that somebody deleted before it was sent: another is filled, and all are sent", async () => {
  const at = shell();
  await fault(at, "POST /messages/v4/groups/*/send", "rate-limit", "--times", "5");
  expect((await at(run, { stdin, ...hurried() })).code).toBe(10);
  const [first] = await groupsOf(at);
  expect((await at(`group delete ${first} --sandbox -y`)).code).toBe(0);
  const resumed = await at(resume);
  expect([resumed.code, resumed.json()], resumed.err).toEqual([
    0,
    expect.objectContaining({ state: "done", accepted: 2, notSent: 0 }),
  ]);
});

test("a group that failed as a whole while its answer was lost is refused, and not in doubt", async () => {
  const at = shell();
  await fault(at, "POST /messages/v4/groups/*/send", "drop-after", "--times", "1");
  const ran = await at(`${run} --json`, { stdin, ...meanwhile(at, "--quota 0") });
  expect([ran.code, ran.json()], ran.err).toEqual([
    10,
    expect.objectContaining({ unknown: 0, refused: 2 }),
  ]);
});
