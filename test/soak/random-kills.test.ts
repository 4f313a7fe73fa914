/**
 * SIGKILL at random times over a line that loses answers, 1,000 times or `KILLS` times: each row is sent
 * once. The census of the last record of the journal at each kill shows that no state was left out.
 */
import { afterAll, beforeAll, expect, test } from "vitest";
import { freshFolder } from "../e2e/program.ts";
import { openService, type Service } from "../faults/books.ts";
import { afterFirst, behindRecord, type Killing, killedRun } from "../faults/killed.ts";
import type { LineOptions } from "../faults/line.ts";

const kills = Number(process.env.KILLS ?? 1_000);
const rows = 200;
/** About as long as such a run takes from its first request. */
const longestMs = 400;
const perRun = 8;
/** After so many runs a service with a balance of its own takes over. */
const runsOfService = 40;

const staged = ["--staged", "--chunk", "10", "--group-size", "100"];
const direct = ["--direct", "--chunk", "10"];
const paths = [staged, direct, []];

/**
 * Every type that a run without refusals writes, and a path that writes it. What is refused, cancelled
 * or limited has tests of its own.
 */
const types: Readonly<Record<string, readonly string[]>> = {
  RUN: staged,
  GROUP_INTENT: staged,
  GROUP: staged,
  ADD_INTENT: staged,
  ADD_OK: staged,
  ABANDON: staged,
  VERIFIED: staged,
  SEND_INTENT: staged,
  SENT: staged,
  POST_INTENT: direct,
  POST_OK: direct,
  DOUBT: direct,
  END: staged,
};
/** So many of each type; a soak of few kills has room for fewer. */
const leastOfType = Math.min(20, Math.floor(kills / 50));

/** The answer to one request of thirty is lost. */
const losing: LineOptions["harm"] = () => (Math.random() < 1 / 30 ? "dropAfter" : undefined);
/** The answer to every fourth: so that groups are given up and calls are in doubt. */
const losingMany: LineOptions["harm"] = () => (Math.random() < 1 / 4 ? "dropAfter" : undefined);

const service: { it?: Service } = {};
const renew = async (): Promise<Service> => {
  await service.it?.stop();
  service.it = await openService(freshFolder());
  return service.it;
};
beforeAll(renew);
afterAll(() => service.it?.stop());

const census = new Map<string, number>();
const tally = { kills: 0, runs: 0, aimed: 0 };

const oneRun = async (
  flags: readonly string[],
  killings: readonly Killing[],
  harm: LineOptions["harm"],
): Promise<number> => {
  const it = tally.runs % runsOfService === 0 || !service.it ? await renew() : service.it;
  const found = await killedRun(it, { flags, rows, first: tally.runs * rows, killings, harm });
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
  process.stdout.write(`${JSON.stringify({ ...tally, census: Object.fromEntries(census) })}\n`);
};

/** The type that the census has least of, where it has too few. */
const rarest = (): string | undefined =>
  Object.keys(types)
    .filter((type) => (census.get(type) ?? 0) < leastOfType)
    .sort((one, other) => (census.get(one) ?? 0) - (census.get(other) ?? 0))[0];

test(`P01 ${kills} kills at random times, and behind each type of record: each row once, the counts add up`, async () => {
  while (tally.kills < kills * 0.7) {
    const delays = Array.from({ length: perRun }, () => Math.random() * longestMs);
    await oneRun(paths[tally.runs % paths.length] ?? [], delays.map(afterFirst), losing);
  }
  tellSoFar();
  for (let type = rarest(); type !== undefined; type = rarest()) {
    const killings = Array.from({ length: 4 }, () => behindRecord(1, type));
    tally.aimed += await oneRun(types[type] ?? [], killings, losingMany);
  }
  while (tally.kills < kills) {
    const delays = Array.from({ length: perRun }, () => Math.random() * longestMs);
    await oneRun(paths[tally.runs % paths.length] ?? [], delays.map(afterFirst), losing);
  }
  tellSoFar();
  expect(tally.kills).toBeGreaterThanOrEqual(kills);
  for (const type of Object.keys(types))
    expect(census.get(type) ?? 0, type).toBeGreaterThanOrEqual(leastOfType);
});
