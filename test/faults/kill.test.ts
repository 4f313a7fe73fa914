/**
 * SIGKILL at every moment of every request of a run, then resumed: each row once, and the counts add up.
 * `npm test` kills where each kind of request arrives and is performed and behind one answer, behind each type
 * of record once, and 6 times at random; `EVERY=1` at every moment, behind every record, and 60 times.
 */
import { expect, test } from "vitest";
import { countOf, isEvery, share } from "../support/share.ts";
import { afterFirst, atMoment, behindRecord, type Killing, killedRun } from "./killed.ts";
import { oneService } from "./one-service.ts";
import { countingUp, several } from "./several.ts";

const { opened, nextBatch } = oneService();

const kills = { count: 0 };
const rows = 6;

const paths: Readonly<Record<string, readonly string[]>> = {
  G: ["--staged", "--chunk", "2", "--group-size", "4"],
  direct: ["--direct", "--chunk", "3"],
  "G of one part": [],
};

/** One run that is killed by these means, one for each process, and resumed each time. */
const killedBy = async (flags: readonly string[], killings: readonly Killing[]) => {
  const run = await killedRun(opened(), { flags, rows, first: nextBatch(), killings });
  kills.count += run.killed;
  return run;
};

const right = { code: 0, sent: Array.from({ length: rows }, () => 1) };
const booked = { state: "done", total: rows, accepted: rows, notSent: 0, unknown: 0 };

/** The kinds of moments that `npm test` has killed at, over all paths. */
const killedAt = new Set<string>();

/**
 * Killed behind an answer, a process has written its record down, as in P03, or not, as where the request was
 * performed: once is enough.
 */
const placeOf = (kind: string): string => (kind.endsWith(", answered") ? "answered" : kind);

/** Of a run that nobody kills: the first moment of each kind that an earlier path had not. */
const firstOfEachKind = async (flags: readonly string[]): Promise<readonly number[]> => {
  const seen: string[] = [];
  await killedBy(flags, [atMoment(0, seen)]);
  const met = seen.map(placeOf);
  const fresh = met.flatMap((kind, at) =>
    met.indexOf(kind) === at && !killedAt.has(kind) ? [{ kind, at: at + 1 }] : [],
  );
  for (const { kind } of fresh) killedAt.add(kind);
  return fresh.map(({ at }) => at);
};

test.each(Object.keys(paths))(
  "P02 path %s: killed at every moment of every request, resumed: each row once, the counts add up",
  async (path) => {
    const flags = paths[path] ?? [];
    const killAt = async (at: number): Promise<boolean> => {
      const killing = at === 0 ? afterFirst(0) : atMoment(at);
      const { killed, code, sent, err, shown } = await killedBy(flags, [killing]);
      expect({ at, code, sent }, err).toEqual({ at, ...right });
      expect(shown).toMatchObject(booked);
      return killed > 0;
    };
    if (isEvery) return countingUp(0, killAt);
    await several([0, ...(await firstOfEachKind(flags))], async (at) => {
      expect({ at, isKilled: await killAt(at) }).toEqual({ at, isKilled: true });
    });
  },
  300_000,
);

test("P04 killed at the same moment five times over, then resumed: each row once", async () => {
  await several(share([2, 5, 8, 11], 4, 1), async (at) => {
    const killings = Array.from({ length: 5 }, () => atMoment(at));
    const { code, sent, err } = await killedBy(paths.G ?? [], killings);
    expect({ at, code, sent }, err).toEqual({ at, ...right });
  });
}, 300_000);

const ofGroups = ["START", "GROUP_INTENT", "GROUP", "ADD_INTENT", "ADD_OK", "VERIFIED"];
/** Every type of record that a path writes on a good line, behind the first: with that one the run is there. */
const types: Readonly<Record<string, readonly string[]>> = {
  G: [...ofGroups, "SEND_INTENT", "SENT", "END"],
  direct: ["START", "POST_INTENT", "POST_OK", "END"],
  "G of one part": ["ADD_OK", "SENT"],
};

test.each(Object.keys(paths))(
  "P03 path %s: killed behind every record of its journal, resumed: each row once, the counts add up",
  async (path) => {
    const last = new Set<string>();
    const killAt = async (killing: Killing): Promise<boolean> => {
      const run = await killedBy(paths[path] ?? [], [killing]);
      const { killed, code, sent, err, shown, records } = run;
      for (const type of records) last.add(type);
      expect({ records, code, sent }, err).toEqual({ records, ...right });
      expect(shown).toMatchObject(booked);
      return killed > 0;
    };
    const behindType = async (type: string) => void (await killAt(behindRecord(1, type)));
    if (isEvery) await countingUp(1, (at) => killAt(behindRecord(at)));
    else await several(types[path] ?? [], behindType);

    expect([...last].sort()).toEqual(expect.arrayContaining([...(types[path] ?? [])].sort()));
  },
  300_000,
);

const atRandom = countOf(60, 6);

test(`P01 ${atRandom} kills at random times after the first request: each row once, the counts add up`, async () => {
  const before = kills.count;
  const names = Object.keys(paths);
  await countingUp(0, async (run) => {
    const delays = Array.from({ length: countOf(6, 2) }, () => Math.random() * 80);
    const flags = paths[names[run % names.length] ?? ""] ?? [];
    const { code, sent, err, shown } = await killedBy(flags, delays.map(afterFirst));
    expect({ flags, delays, code, sent }, err).toEqual({ flags, delays, ...right });
    expect(shown).toMatchObject(booked);
    return kills.count - before < atRandom;
  });
}, 300_000);

test("P01 the kills at moments and records are as many at least", () => {
  expect(kills.count).toBeGreaterThanOrEqual(2 * atRandom);
});
