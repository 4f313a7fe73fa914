/**
 * 2 to 4 workers on one source, in 300 rounds or `ROUNDS` of them: each is killed at random moments and loses
 * its folder, and the line between lies. Each row goes out once, and every worker ends with 0.
 */
import { afterAll, beforeAll, expect, test } from "vitest";
import { freshFolder } from "../e2e/program.ts";
import { openService, type Service } from "../faults/books.ts";
import { runWorkers } from "../faults/part-kills.ts";
import { hostileLine } from "./hostile-line.ts";

const rounds = Number(process.env.ROUNDS ?? 300);
const rows = 24;
const longest = 40;

const service: { it?: Service } = {};
beforeAll(async () => {
  service.it = await openService(freshFolder());
});
afterAll(() => service.it?.stop());

const random = (below: number): number => Math.floor(Math.random() * below);

/** The clocks of the other machines are not what is lied about here: nobody waits for one that is gone. */
const hooks = () => {
  const { harm, heard } = hostileLine();
  return { harm, heard };
};

test(`${rounds} rounds of 2 to 4 workers that are killed: each row once, every worker ends with 0`, async () => {
  const { it } = service;
  if (!it) throw new Error("no service");
  const tally: Record<string, number> = {};
  for (let round = 0; round < rounds; round += 1) {
    const of = 2 + random(3);
    const kills = Array.from({ length: of }, () =>
      Array.from({ length: 1 + random(4) }, () => 1 + random(longest)),
    );
    const found = await runWorkers(it, { of, rows, first: round * rows, kills, hooks });
    for (const code of found.codes.flat()) tally[`${code}`] = (tally[`${code}`] ?? 0) + 1;
    const told = JSON.stringify({ round, kills, codes: found.codes });
    expect([found.sent, found.accepted], told).toEqual([found.sent.map(() => 1), rows]);
    expect(
      found.codes.map((codes) => codes.at(-1)),
      told,
    ).toEqual(kills.map(() => 0));
  }
  process.stdout.write(`${JSON.stringify({ rounds, codes: tally })}\n`);
});
