/** `SEEDS=20000 npm run test:soak`: many more worlds than a test run has time for. */
import { expect, test } from "vitest";
import { bundledSimulation } from "../simulation/bundle.ts";

const from = Number(process.env.SEED ?? 501);
const count = Number(process.env.SEEDS ?? 20_000);

test(`${count} seeds from ${from} on: no row twice, no false claim, every loop ends`, async () => {
  const { failuresOf, openTheatre } = await bundledSimulation();
  const theatre = openTheatre();
  const failures = await failuresOf(theatre, { from, count });
  theatre.close();
  expect(failures.join("\n\n")).toBe("");
});
