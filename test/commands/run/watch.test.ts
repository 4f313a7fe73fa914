/** `run watch` in a pipe: a JSON line a change, one request at a time, until all is settled. Over both doors. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { testClock } from "../../support/clock.ts";
import { shell } from "../../support/msg.ts";
import { twoDoors } from "../../support/two-doors.ts";

test.each(twoDoors)("a line a change, until all is settled, %s", async (_door, open) => {
  const clock = testClock();
  const { msg, close } = await open(clock);
  onTestFinished(close);
  const file = join(msg.folder, "list.csv");
  writeFileSync(file, "to\n01000000001\n01000003104\n01000001060\n");
  const line = ["send-many", file, "--from", "0200000000", "--text", "hi", "-y"];
  expect((await msg(line)).code).toBe(3);
  const { code, out, err } = await msg("run watch last");
  expect(code, err).toBe(3);
  expect(err).toMatch(
    /2 messages did not arrive\n {2}run \S+\n {2}msg run export \S+ --status failed,refused shows/,
  );
  const lines: unknown[] = out
    .trimEnd()
    .split("\n")
    .map((it) => JSON.parse(it));
  expect(lines[0]).toMatchObject({ state: "done", total: 3, accepted: 2, refused: 1, pending: 2 });
  expect(lines.at(-1)).toMatchObject({
    ...{ delivered: 1, failed: 1, pending: 0, cost: 20 },
    failures: [
      { code: "1060", count: 1, meaning: "recipient number blocked" },
      { code: "3104", count: 1, meaning: "recipient does not use Kakao Talk" },
    ],
    lastFailures: [
      { to: "01000003104", code: "3104" },
      { to: "01000001060", code: "1060" },
    ],
  });
  // No line says the same as the one before it.
  const told = lines.map((it) => JSON.stringify({ ...Object(it), rate: 0, secondsLeft: 0 }));
  expect(new Set(told).size).toBe(told.length);
  // What is settled is said once; other forms are there as well.
  const again = await msg("run watch last -o csv --fields delivered,failed,pending");
  expect(again.out).toBe("delivered,failed,pending\n1,1,0\n");
});

test.each(twoDoors)(
  "a run that no one works on, and one whose time is over, %s",
  async (_door, open) => {
    const clock = testClock();
    const { msg, close } = await open(clock);
    onTestFinished(close);
    const file = join(msg.folder, "list.csv");
    writeFileSync(file, "to\n01000000001\n");
    const line = ["send-many", file, "--from", "0200000000", "--text", "hi"];
    expect((await msg([...line, "--max-cost", "1"])).code).toBe(7);
    const planned = await msg("run watch last");
    expect(planned.code).toBe(8);
    expect(planned.err).toMatch(
      /the run is planned, and no process is working on it\n.*\n.*--resume/,
    );
    await msg("sandbox set --tick 1h");
    // The next run is the last one by its time.
    clock.pass(1000);
    expect((await msg([...line, "-y"])).code).toBe(0);
    const late = await msg("run watch last --within 3s");
    expect(late.code, late.err).toBe(8);
    expect(late.out.trimEnd().split("\n")).toHaveLength(1);
    expect(late.err).toContain("the run did not finish in time");
  },
);

const later = "--from 0200000000 --text hi --at 2026-01-15T13:00:00+09:00 -y".split(" ");

test.each(twoDoors)(
  "a run that waited for its hour is watched until its messages arrived, %s",
  async (_door, open) => {
    const clock = testClock();
    const { msg, close } = await open(clock);
    onTestFinished(close);
    const rows = { stdin: "to\n01000000001\n01000000002\n" };
    expect((await msg(["send-many", "-", ...later], rows)).code).toBe(0);
    const early = await msg("run watch last --within 3s");
    expect([early.code, early.out.trimEnd().split("\n").length]).toEqual([8, 1]);
    clock.pass(2 * 3_600_000);
    const { code, out, err } = await msg("run watch last --within 30s");
    expect([code, err]).toEqual([0, ""]);
    const lines = out.trimEnd().split("\n");
    expect(JSON.parse(lines.at(-1) ?? "")).toMatchObject({ delivered: 2, failed: 0, pending: 0 });
  },
);

test("a scheduled run whose group could not be paid at its hour ends with what to do next", async () => {
  const clock = testClock();
  const msg = shell({ ...clock, env: { MSG_PROFILE: "sandbox" } });
  const rows = { stdin: "to\n01000000001\n01000000002\n" };
  expect((await msg(["send-many", "-", ...later], rows)).code).toBe(0);
  await msg("sandbox set --balance 0 --point 0");
  clock.pass(2 * 3_600_000);
  const { code, err } = await msg("run watch last --within 30s");
  expect(code, err).toBe(3);
  expect(err).toMatch(/2 messages did not arrive\n.*\n {2}msg run reconcile \S+ checks/);
  const [reconcile = ""] = /run reconcile \S+/.exec(err) ?? [];
  expect((await msg(reconcile)).err).toMatch(/2 refused: .* --retry-refused/);
});

test("watching a run whose group someone deleted ends as resuming it does", async () => {
  const clock = testClock();
  const msg = shell({ ...clock, env: { MSG_PROFILE: "sandbox" } });
  const rows = { stdin: "to\n01000000001\n01000000002\n" };
  expect((await msg(["send-many", "-", ...later], rows)).code).toBe(0);
  const [{ groupId }] = JSON.parse((await msg("group list --json")).out);
  for (const verb of ["unschedule", "delete"]) await msg(`group ${verb} ${groupId}`);
  await msg("run reconcile last");
  const [resumed, watched] = [await msg("send-many --resume last"), await msg("run watch last")];
  expect([watched.code, resumed.code]).toEqual([10, 10]);
  expect(watched.err).toContain("someone else deleted a group of this run");
});
