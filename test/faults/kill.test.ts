/** SIGKILL at every moment of every request of a run, then resumed: each row once, and the counts add up. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { ended, freshFolder, program } from "../e2e/program.ts";
import { envFor, numbersOf, openService, rowsOf, type Service, sending } from "./books.ts";
import { openLine } from "./line.ts";

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
  const first = batch.next;
  const stdin = rowsOf(rows, first);
  const now: { kill: (() => void) | undefined; moment: number; at: number } = {
    kill: undefined,
    moment: 0,
    at: 0,
  };
  const line = await openLine({
    to: it.baseUrl,
    on: () => {
      now.moment += 1;
      if (now.moment === now.at) now.kill?.();
    },
  });
  const msg = program();
  const env = envFor(line);
  const run = async (words: readonly string[], at: number) => {
    const child = msg.start(words, { stdin, env });
    Object.assign(now, { moment: 0, at, kill: () => child.kill("SIGKILL") });
    return ended(child);
  };
  let last = await run(sending(...flags), moments[0] ?? 0);
  let killed = 0;
  for (const at of [...moments.slice(1), 0]) {
    if (last.code !== null) break;
    killed += 1;
    last = await run(["send-many", "--resume", "last", "--json"], at);
    // Killed before the run was written down: there is nothing to resume, and nothing was sent.
    if (last.code === 6) last = await run(sending(...flags), 0);
  }
  kills.count += killed;
  const shown = await msg(["run", "show", "last", "--json"], { env });
  await line.stop();
  const books = it.books();
  const sent = numbersOf(rows, first).map((to) => books.get(to) ?? 0);
  return { code: last.code, err: last.err, killed, sent, shown: JSON.parse(shown.out) };
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
