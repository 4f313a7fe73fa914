/**
 * The recipe of README.md for a container without a disk, in 100 lists or `LISTS` of them: each of their
 * containers is killed at a random time, and each row is sent once.
 */
import { afterAll, beforeAll, expect, test } from "vitest";
import { freshFolder } from "../e2e/program.ts";
import { openService, type Service } from "../faults/books.ts";
import { runContainers } from "../faults/recipe.ts";

const lists = Number(process.env.LISTS ?? 100);
const rows = 12;
const kills = 5;
const longestMs = 3_000;

const service: { it?: Service } = {};
beforeAll(async () => {
  service.it = await openService(freshFolder());
});
afterAll(() => service.it?.stop());

test(`${lists} lists, ${kills} containers of each are killed: the last one ends with 0, each row once`, async () => {
  const { it } = service;
  if (!it) throw new Error("no service");
  const tally: Record<string, number> = {};
  for (let list = 0; list < lists; list += 1) {
    const killedAfter = Array.from({ length: kills }, () => Math.random() * longestMs);
    const { codes, sent } = await runContainers(it, { rows, first: list * rows, killedAfter });
    for (const code of codes.flat()) tally[code] = (tally[code] ?? 0) + 1;
    const told = JSON.stringify({ list, killedAfter, codes });
    expect([codes.at(-1)?.at(-1), sent], told).toEqual(["0", sent.map(() => 1)]);
  }
  process.stdout.write(`${JSON.stringify({ lists, codes: tally })}\n`);
});
