/** SIGKILL at random times after the first request, 1,000 times or `KILLS` times: each row is sent once. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { freshFolder } from "../e2e/program.ts";
import { openService, type Service } from "../faults/books.ts";
import { afterFirst, killedRun } from "../faults/killed.ts";

const kills = Number(process.env.KILLS ?? 1_000);
const rows = 200;
/** About as long as such a run takes from its first request. */
const longestMs = 400;
const perRun = 8;
/** After so many runs a service with a balance of its own takes over. */
const runsOfService = 40;

const paths = [
  ["--staged", "--chunk", "10", "--group-size", "100"],
  ["--direct", "--chunk", "10"],
  [],
];

const service: { it?: Service } = {};
const renew = async (): Promise<Service> => {
  await service.it?.stop();
  service.it = await openService(freshFolder());
  return service.it;
};
beforeAll(renew);
afterAll(() => service.it?.stop());

test(`P01 ${kills} kills at random times, resumed each time: each row once, the counts add up`, async () => {
  let killed = 0;
  for (let run = 0; killed < kills; run += 1) {
    const it = run % runsOfService === 0 || !service.it ? await renew() : service.it;
    const delays = Array.from({ length: perRun }, () => Math.random() * longestMs);
    const flags = paths[run % paths.length] ?? [];
    const killings = delays.map(afterFirst);
    const found = await killedRun(it, { flags, rows, first: run * rows, killings });
    const { code, sent, shown, err } = found;
    expect({ flags, delays, code, twice: sent.filter((count) => count !== 1) }, err).toEqual({
      ...{ flags, delays, code: 0, twice: [] },
    });
    expect(shown).toMatchObject({ state: "done", total: rows, accepted: rows, unknown: 0 });
    killed += found.killed;
  }
  expect(killed).toBeGreaterThanOrEqual(kills);
});
