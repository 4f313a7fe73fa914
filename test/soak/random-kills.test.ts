/**
 * SIGKILL at random times over a line that does harm to a fifth of all requests, 1,000 times or `KILLS`
 * times: each row is sent once, and what every process claims is so. The census of the last record of the
 * journal at each kill shows that no state was left out.
 */
import { expect, test } from "vitest";
import { freshFolder } from "../e2e/program.ts";
import { openService, type Service } from "../faults/books.ts";
import { afterFirst, behindRecord, type Killing, killedRun } from "../faults/killed.ts";
import type { LineOptions } from "../faults/line.ts";
import { hostileLine } from "./hostile-line.ts";

const kills = Number(process.env.KILLS ?? 1_000);
const rows = 200;
/** About as long as such a run takes from its first request. */
const longestMs = 400;
const perRun = 8;
/** A call in doubt waits for 16 minutes: so many runs go on side by side, each beside a service of its own. */
const lanes = Number(process.env.LANES ?? 16);
const longestSoakMs = 8 * 3_600_000;
/** After so many runs a service with a balance of its own takes over. */
const runsOfService = 40;

const staged = ["--staged", "--chunk", "10", "--group-size", "100"];
const direct = ["--direct", "--chunk", "10"];

/**
 * Every type that a run without refusals writes, on the path that writes it, in the order in which they
 * come: a run that is killed behind each of them in turn meets them all. What is refused, cancelled or
 * limited has tests of its own. RUN is not among them: it is on the disk before the run has its name, and a
 * process that is killed right behind it leaves no run.
 */
const types: Readonly<Record<string, readonly string[]>> = {
  START: staged,
  GROUP_INTENT: staged,
  // Nobody knows the group of a process that was killed behind its intent.
  ABANDON: staged,
  DELETED: staged,
  GROUP: staged,
  ADD_INTENT: staged,
  ADD_OK: staged,
  VERIFIED: staged,
  SEND_INTENT: staged,
  SENT: staged,
  END: staged,
  POST_INTENT: direct,
  POST_OK: direct,
  DOUBT: direct,
};
/** So many of each type; a soak of few kills has room for fewer. */
const leastOfType = Math.min(20, Math.floor(kills / 50));

/** The answer to every fourth is lost: so that groups are given up and calls are in doubt. */
const losingMany: LineOptions["harm"] = () => (Math.random() < 1 / 4 ? "dropAfter" : undefined);

interface Lane {
  service: Service;
  runs: number;
}

const openLane = async (): Promise<Lane> => ({
  service: await openService(freshFolder()),
  runs: 0,
});

const census = new Map<string, number>();
const tally = { kills: 0, runs: 0, aimed: 0 };

const oneRun = async (
  lane: Lane,
  flags: readonly string[],
  killings: readonly Killing[],
  { harm, ...hooks }: Pick<LineOptions, "harm" | "heard" | "date">,
): Promise<number> => {
  if (lane.runs === runsOfService) {
    await lane.service.stop();
    Object.assign(lane, await openLane());
  }
  const found = await killedRun(lane.service, {
    flags,
    rows,
    first: lane.runs * rows,
    killings,
    harm,
    hooks,
  });
  lane.runs += 1;
  tally.runs += 1;
  const { code, sent, shown, err, records } = found;
  if (tally.runs % runsOfService === 0) tellSoFar();
  for (const type of records) census.set(type, (census.get(type) ?? 0) + 1);
  tally.kills += found.killed;
  const place = { flags, records };
  expect({ ...place, code, wrong: sent.filter((count) => count !== 1) }, err).toEqual({
    ...{ ...place, code: 0, wrong: [] },
  });
  expect(shown).toMatchObject({ state: "done", total: rows, accepted: rows, unknown: 0 });
  return found.killed;
};

/** What a soak is run for: its figures. */
const tellSoFar = (): void => {
  const counted = [...census].sort(([, one], [, other]) => one - other);
  process.stdout.write(`${JSON.stringify({ ...tally, behind: Object.fromEntries(counted) })}\n`);
};

const seenBehind = (type: string): number => census.get(type) ?? 0;
const tooFew = (type: string): boolean => seenBehind(type) < leastOfType;
const rarestType = (): string | undefined =>
  Object.keys(types)
    .sort((one, other) => seenBehind(one) - seenBehind(other))
    .find(tooFew);

/** A run of a path, killed at any time; several times over. */
const killedAtRandom = (lane: Lane): Promise<number> => {
  const delays = Array.from({ length: perRun }, () => Math.random() * longestMs);
  const path = Math.random() < 1 / 2 ? staged : direct;
  return oneRun(lane, path, delays.map(afterFirst), hostileLine());
};

/** A run that is killed behind one record after the other of the types that the census has least of. */
const killedBehind = async (lane: Lane, rarest: string): Promise<void> => {
  const path = types[rarest] ?? [];
  const wanted = Object.keys(types).filter((type) => types[type] === path && tooFew(type));
  const killings = wanted.map((type) => behindRecord(1, type));
  tally.aimed += await oneRun(lane, path, killings, { harm: losingMany });
};

/** One run after the other, every second one behind the rarest types, until all lanes together have enough. */
const driveLane = async (): Promise<void> => {
  const lane = await openLane();
  while (tally.kills < kills || rarestType() !== undefined) {
    const rarest = rarestType();
    if (rarest !== undefined && lane.runs % 2 === 1) await killedBehind(lane, rarest);
    else await killedAtRandom(lane);
  }
  await lane.service.stop();
};

test(
  `P01 ${kills} kills at random times, and behind each type of record: each row once, the counts add up`,
  async () => {
    await Promise.all(Array.from({ length: lanes }, driveLane));
    tellSoFar();
    for (const type of Object.keys(types))
      expect(seenBehind(type), type).toBeGreaterThanOrEqual(leastOfType);
  },
  longestSoakMs,
);
