/** `SEEDS=20000 npm run test:soak`: many more worlds than a test run has time for. */
import { expect, test } from "vitest";
import { breaks, gone } from "../simulation/breaks.ts";
import { bundledSimulation } from "../simulation/bundle.ts";

const from = Number(process.env.SEED ?? 201);
const count = Number(process.env.SEEDS ?? 20_000);
/** So many seeds at most have to find a break. */
const enough = 10_000;

/** `BREAK=1a` looks for that one alone. */
const { BREAK: named } = process.env;

test(`${count} seeds from ${from} on: no row twice, no false claim, every loop ends`, async () => {
  const { failuresOf, openTheatre } = await bundledSimulation();
  const theatre = openTheatre();
  const failures = named === undefined ? await failuresOf(theatre, { from, count }) : [];
  theatre.close();
  expect(failures.join("\n\n")).toBe("");
});

test(`each break that is put back is found within ${enough} seeds`, async () => {
  const missed: string[] = [];
  const own = breaks.filter((it) => (named === undefined ? !it.elsewhere : it.id === named));
  for (const { id, what } of own) {
    const { firstFailureOf, openTheatre } = await bundledSimulation(id);
    const theatre = openTheatre();
    const found = await firstFailureOf(theatre, { from: 1, count: enough });
    theatre.close();
    if (!found) missed.push(id);
    const where = found
      ? `seed ${found.seed}, ${found.way}, ${found.history.length} lines: ${found.wrong[0]}`
      : "not found";
    process.stdout.write(`${id}: ${what}\n    ${where}\n`);
  }
  for (const { id, what, elsewhere: found } of breaks)
    if (found) process.stdout.write(`${id}: ${what}\n    by ${found.test}, for ${found.because}\n`);
  for (const { id, what, because } of gone)
    process.stdout.write(`${id}: ${what}\n    left out: ${because}\n`);
  expect(missed).toEqual([]);
});
