/** The recipe of README.md for containers: killed at random, begun anew with nothing, over a line that does harm. */
import { expect, test } from "vitest";
import { oneService } from "./one-service.ts";
import { runContainers } from "./recipe.ts";

const { opened, nextBatch } = oneService();

test("a container that is killed and started anew with an empty state folder ends with 0, each row once", async () => {
  const rows = 9;
  // A process takes about half a second to its first request, and as long for all of them.
  const killedAfter = [600, 900, 1_300].map((ms) => ms + Math.random() * 400);
  const { codes, sent } = await runContainers(opened(), { rows, first: nextBatch(), killedAfter });
  const told = JSON.stringify({ killedAfter, codes });
  expect([codes.at(-1)?.at(-1), sent], told).toEqual(["0", sent.map(() => 1)]);
}, 120_000);
