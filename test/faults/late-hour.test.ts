/** An hour that passes while a schedule is in doubt: it is kept, or nothing goes out at all. */
import { join } from "node:path";
import { expect, test } from "vitest";
import { hurriedWorld } from "../support/clock.ts";
import { shell } from "../support/msg.ts";
import { envFor, numbersOf, sending } from "./books.ts";
import { type Harm, type Moment, openLine, type Passing } from "./line.ts";
import { oneService } from "./one-service.ts";

const minuteMs = 60_000;
const clock = hurriedWorld();
const { opened, nextBatch } = oneService(clock.now);

/** How long the hour is ahead: a repeat behind it would still lie within the replay window. */
const aheadMs = 3 * minuteMs;

/** One command whose requests to `path` suffer, the clock moving on by `passMs` with the first of them. */
const over = async (command: "send" | "send-many", path: RegExp, passMs: number, harm: Harm) => {
  const service = opened();
  const [to = ""] = numbersOf(1, nextBatch());
  const hit = { count: 0 };
  const line = await openLine({
    to: service.baseUrl,
    harm: (passing) => {
      if (passing.method !== "POST" || !path.test(passing.path)) return undefined;
      hit.count += 1;
      if (hit.count > 1) return undefined;
      clock.pass(passMs);
      return harm;
    },
  });
  const at = shell({ ...clock, env: envFor(line) });
  const hour = new Date(clock.now().getTime() + aheadMs).toISOString();
  const rest = ["--from", "0200000000", "--text", "x", "--at", hour, "--json", "--settle", "2s"];
  const ran =
    command === "send"
      ? await at(["send", "--to", to, ...rest])
      : await at(["send-many", "-", "--staged", ...rest], { stdin: `to\n${to}\n` });
  const promised = service.promisesTo([to]);
  const cancelled = await at("run cancel last --json");
  await line.stop();
  return { ...ran, to, requests: hit.count, cancelled, promised };
};

const schedule = /\/groups\/[^/]+\/schedule$/;

test("a run whose schedule is in doubt when its hour passes is not scheduled again: exit 11, nothing goes out", async () => {
  const { code, err, requests, cancelled, promised } = await over(
    "send-many",
    schedule,
    aheadMs + 1_000,
    "dropBefore",
  );
  expect([code, requests], err).toEqual([11, 1]);
  expect(err).toMatch(/may or may not have been scheduled: the scheduled time \S+ has passed/);
  expect(err).toMatch(/msg run reconcile \S+ checks .*msg run cancel \S+ deletes/);
  expect(cancelled.code, cancelled.err).toBe(0);
  expect(promised).toEqual([0]);
});

test("a run that was scheduled before its hour passed is told as scheduled, whatever became of the answer", async () => {
  const { code, err, requests } = await over("send-many", schedule, minuteMs, "dropAfter");
  expect([code, requests > 0], err).toEqual([0, true]);
});

test.each([aheadMs - 2_000, aheadMs + 1_000])(
  "a run whose groups are full only %i ms later, at or behind its hour, is not scheduled: exit 2, nothing was sent",
  async (passMs) => {
    const create = /\/messages\/v4\/groups$/;
    const { code, err, promised } = await over("send-many", create, passMs, "dropAfter");
    expect([code, promised], err).toEqual([2, [0]]);
    expect(err).toContain("nothing was sent");
    expect(err).not.toContain("--resume");
  },
);

test.each<readonly [number]>([[aheadMs + 1_000], [aheadMs - 2_000]])(
  "send --at is not repeated %i ms later, at or behind its hour: nothing goes out",
  async (passMs) => {
    const { code, err, requests, cancelled, promised } = await over(
      "send",
      schedule,
      passMs,
      "dropBefore",
    );
    expect([code, requests], err).toEqual([11, 1]);
    expect(err).toMatch(/may or may not have been scheduled: the scheduled time \S+ has passed/);
    expect(cancelled.code, cancelled.err).toBe(0);
    expect(promised).toEqual([0]);
  },
);

test("the line of a key, run again behind its hour: exit 0 where it went out, on any machine, else 2", async () => {
  const service = opened();
  const [to = ""] = numbersOf(1, nextBatch());
  const hour = new Date(clock.now().getTime() + aheadMs).toISOString();
  const keyed = (key: string) => sending("--at", hour, "--once", key, "--json");
  const at = () => shell({ ...clock, env: envFor(service) });
  const stdin = `to\n${to}\n`;
  const machine = at();
  expect((await machine(keyed("hour"), { stdin })).code).toBe(0);
  clock.pass(aheadMs + minuteMs);
  for (const on of [machine, at()]) {
    const again = await on(keyed("hour"), { stdin });
    expect([again.code, again.json()], again.err).toMatchObject([0, { accepted: 1 }]);
  }
  const other = at();
  const late = await other(keyed("later"), { stdin });
  expect([late.code, late.err]).toEqual([2, expect.stringContaining("SchedulePast")]);
  expect((await other("run list --json")).json()).toEqual([]);
  expect(service.countsOf([to])).toEqual([1]);
});

test.each<readonly [string, number]>([
  ["before", 0],
  ["behind", 3 * aheadMs],
])(
  "rows of a group that another machine deleted to schedule them itself are accepted, %s their hour",
  async (_, passMs) => {
    const service = opened();
    const numbers = numbersOf(4, nextBatch());
    const stdin = `to\n${numbers.join("\n")}\n`;
    const hour = new Date(clock.now().getTime() + 3 * aheadMs).toISOString();
    const words = `--from 0200000000 --text x --at ${hour} --group-size 2 --chunk 2 --json`;
    const machine = () => shell({ ...clock, env: envFor(service) });
    const [first, second] = [machine(), machine()];
    const made = await first(`send-many - ${words}`, { stdin });
    const { run, groups }: { run: string; groups: [string, string] } = JSON.parse(made.out);
    expect((await first(`group unschedule ${groups[0]}`)).code).toBe(0);
    clock.pass(2 * minuteMs);
    const taken = await second(`send-many --resume ${run} - ${words}`, { stdin });
    expect(taken.code, taken.err).toBe(0);
    clock.pass(passMs);
    const looked = await first("run reconcile last --json");
    expect([looked.code, looked.json()], looked.err).toMatchObject([
      0,
      { state: passMs > 0 ? "done" : "scheduled", accepted: 4, notSent: 0, unknown: 0 },
    ]);
    expect((await first("run export last --status not-sent -o jsonl")).out).toBe("");
    clock.pass(3 * aheadMs);
    await first("balance");
    expect(service.countsOf(numbers)).toEqual([1, 1, 1, 1]);
  },
);

test("one plan on two machines: one deletes the group of the other to schedule the rows itself", async () => {
  const service = opened();
  const stdin = `to\n${numbersOf(2, nextBatch()).join("\n")}\n`;
  const hour = new Date(clock.now().getTime() + 3 * aheadMs).toISOString();
  const second = shell({ ...clock, env: envFor(service) });
  const plan = join(second.folder, "july.msgplan");
  const words = `send-many - --from 0200000000 --text x --at ${hour} --plan-out`.split(" ");
  expect((await second([...words, plan], { stdin })).code).toBe(0);
  const send = ["send-many", "--plan", plan, "--json"];
  const on = async ({ path }: Passing, moment: Moment): Promise<void> => {
    if (moment === "arrived" && schedule.test(path)) expect((await second(send)).code).toBe(0);
  };
  const line = await openLine({ to: service.baseUrl, on });
  const first = await shell({ ...clock, env: envFor(line) })(send);
  await line.stop();
  expect([first.code, first.err]).toEqual([7, expect.stringContaining("SentBefore")]);
});

test.each<readonly [string, RegExp]>([
  ["no group yet", /\/groups$/],
  ["an empty group", /\/messages$/],
])(
  "rows that another machine sent are accepted behind their hour, where a run had %s",
  async (_, path) => {
    const service = opened();
    const numbers = numbersOf(2, nextBatch());
    const stdin = `to\n${numbers.join("\n")}\n`;
    const hour = new Date(clock.now().getTime() + aheadMs).toISOString();
    const words = `send-many - --from 0200000000 --text x --at ${hour} --settle 2s --json`;
    const harm = (passing: { method: string; path: string }): Harm | undefined =>
      passing.method !== "GET" && path.test(passing.path) ? "dropBefore" : undefined;
    const line = await openLine({ to: service.baseUrl, harm });
    const first = shell({ ...clock, env: envFor(line) });
    expect((await first(words, { stdin })).code).not.toBe(0);
    await line.stop();
    clock.pass(2 * minuteMs);
    const second = shell({ ...clock, env: envFor(service) });
    expect((await second(words, { stdin })).code).toBe(0);
    clock.pass(aheadMs);
    const late = { env: envFor(service) };
    const resumed = await first("send-many --resume last", late);
    expect([resumed.code, resumed.err]).toEqual([2, expect.stringContaining("msg run reconcile")]);
    expect((await first("run reconcile last --json", late)).json()).toMatchObject({
      ...{ state: "done", accepted: 2, notSent: 0, unknown: 0 },
    });
    expect((await first("run export last --status not-sent -o jsonl", late)).out).toBe("");
    expect(service.countsOf(numbers)).toEqual([1, 1]);
  },
);
