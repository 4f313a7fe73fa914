/** SIGKILL at every moment of every request of a run, then resumed: each row once, and the counts add up. */
import { expect, test } from "vitest";
import { afterFirst, atMoment, behindRecord, type Killing, killedRun } from "./killed.ts";
import { oneService } from "./one-service.ts";
import { countingUp, several } from "./several.ts";

const { opened, nextBatch } = oneService();

const kills = { count: 0 };
const rows = 6;

const paths: Readonly<Record<string, readonly string[]>> = {
  "G of one part": [],
  G: ["--staged", "--chunk", "2", "--group-size", "4"],
  direct: ["--direct", "--chunk", "3"],
};

/** One run that is killed by these means, one for each process, and resumed each time. */
const killedBy = async (flags: readonly string[], killings: readonly Killing[]) => {
  const run = await killedRun(opened(), { flags, rows, first: nextBatch(), killings });
  kills.count += run.killed;
  return run;
};

const right = { code: 0, sent: Array.from({ length: rows }, () => 1) };
const booked = { state: "done", total: rows, accepted: rows, notSent: 0, unknown: 0 };

test.each(Object.keys(paths))(
  "P02 path %s: killed at every moment of every request, resumed: each row once, the counts add up",
  async (path) => {
    await countingUp(0, async (at) => {
      const killing = at === 0 ? afterFirst(0) : atMoment(at);
      const { killed, code, sent, err, shown } = await killedBy(paths[path] ?? [], [killing]);
      expect({ at, code, sent }, err).toEqual({ at, ...right });
      expect(shown).toMatchObject(booked);
      return killed > 0;
    });
  },
  300_000,
);

test("P04 killed at the same moment five times over, then resumed: each row once", async () => {
  await several([2, 5, 8, 11], async (at) => {
    const { code, sent, err } = await killedBy(paths.G ?? [], [at, at, at, at, at].map(atMoment));
    expect({ at, code, sent }, err).toEqual({ at, ...right });
  });
}, 300_000);

test.each(Object.keys(paths))(
  "P03 path %s: killed behind every record of its journal, resumed: each row once, the counts add up",
  async (path) => {
    const last = new Set<string>();
    await countingUp(1, async (at) => {
      const run = await killedBy(paths[path] ?? [], [behindRecord(at)]);
      const { killed, code, sent, err, shown, records } = run;
      for (const type of records) last.add(type);
      expect({ at, records, code, sent }, err).toEqual({ at, records, ...right });
      expect(shown).toMatchObject(booked);
      return killed > 0;
    });
    expect([...last]).toContain("START");
    expect([...last]).toContain("END");
  },
  300_000,
);

test("P01 60 kills at random times after the first request: each row once, the counts add up", async () => {
  const before = kills.count;
  const names = Object.keys(paths);
  await countingUp(0, async (run) => {
    const delays = Array.from({ length: 6 }, () => Math.random() * 80);
    const flags = paths[names[run % names.length] ?? ""] ?? [];
    const { code, sent, err, shown } = await killedBy(flags, delays.map(afterFirst));
    expect({ flags, delays, code, sent }, err).toEqual({ flags, delays, ...right });
    expect(shown).toMatchObject(booked);
    return kills.count - before < 60;
  });
}, 300_000);

test("P01 the kills at moments and records are 60 more at least", () => {
  expect(kills.count).toBeGreaterThanOrEqual(120);
});
