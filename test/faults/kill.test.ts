/** SIGKILL at every moment of every request of a run, then resumed: each row once, and the counts add up. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { freshFolder } from "../e2e/program.ts";
import { openService, type Service } from "./books.ts";
import { atMoment, killedRun } from "./killed.ts";

const service: { it?: Service } = {};
beforeAll(async () => {
  service.it = await openService(freshFolder());
});
afterAll(() => service.it?.stop());

const batch = { next: 0 };
const kills = { count: 0 };
const rows = 6;

const paths: Readonly<Record<string, readonly string[]>> = {
  S: [],
  G: ["--staged", "--chunk", "2", "--group-size", "4"],
  direct: ["--direct", "--chunk", "3"],
};

/** One run that is killed at these moments, counted anew by each process, and resumed each time. */
const killedAt = async (flags: readonly string[], moments: readonly number[]) => {
  const { it } = service;
  if (!it) throw new Error("no service");
  batch.next += 100;
  const killings = moments.map(atMoment);
  const run = await killedRun(it, { flags, rows, first: batch.next, killings });
  kills.count += run.killed;
  return run;
};

const right = { code: 0, sent: Array.from({ length: rows }, () => 1) };
const booked = { state: "done", total: rows, accepted: rows, notSent: 0, unknown: 0 };

test.each(Object.keys(paths))(
  "P02 path %s: killed at every moment of every request, resumed: each row once, the counts add up",
  async (path) => {
    for (let at = 1; ; at += 1) {
      const { killed, code, sent, err, shown } = await killedAt(paths[path] ?? [], [at]);
      expect({ at, code, sent }, err).toEqual({ at, ...right });
      expect(shown).toMatchObject(booked);
      if (killed === 0) break;
    }
  },
  120_000,
);

test("P04 killed at the same moment five times over, then resumed: each row once", async () => {
  for (const at of [5, 8, 11, 14]) {
    const { code, sent, err } = await killedAt(paths.G ?? [], [at, at, at, at, at]);
    expect({ at, code, sent }, err).toEqual({ at, ...right });
  }
}, 120_000);

test("P01 the kills of this file are 60 at least", () => {
  expect(kills.count).toBeGreaterThanOrEqual(60);
});
