/** `run watch` in a pipe: a JSON line a change, one request at a time, until all is settled. Over both doors. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { testClock } from "../../support/clock.ts";
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
    /2 messages were not delivered\n {2}run \S+\n {2}failed rows: msg run export \S+ --status failed/,
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
