/** A machine sleeps for days while it plans: what was sent meanwhile is not another sending. */
import { expect, test } from "vitest";
import { hurriedWorld } from "../support/clock.ts";
import { shell } from "../support/msg.ts";
import { envFor, numbersOf, rowsOf, sending } from "./books.ts";
import { openLine } from "./line.ts";
import { oneService } from "./one-service.ts";

const world = hurriedWorld();
const { opened, nextBatch } = oneService(world.now);
const rows = 3;

test.each([
  ["in groups, by another machine", [], shell],
  ["without groups, by another process", ["--direct"], undefined],
] as const)("%s", async (_, flags, other) => {
  const first = nextBatch();
  const how = { stdin: rowsOf(rows, first), env: envFor(opened()) };
  const words = [...sending(...flags), "--json"];
  const at = shell(world);
  const sendMeanwhile = async (): Promise<void> => {
    const { code, err } = await (other?.(world) ?? at)(words, how);
    expect(code, err).toBe(0);
    world.pass(26 * 3_600_000);
  };
  let hasSlept = false;
  const line = await openLine({
    to: opened().baseUrl,
    on: async ({ path }) => {
      if (hasSlept || path !== "/quota/v1/me") return;
      hasSlept = true;
      await sendMeanwhile();
    },
  });
  const { code, err } = await at(words, { ...how, env: envFor(line) });
  await line.stop();
  expect([code, JSON.parse(err.trim().split("\n").at(-1) ?? "").error.code]).toEqual([
    7,
    "SentBefore",
  ]);
  expect(opened().countsOf(numbersOf(rows, first))).toEqual([1, 1, 1]);
});
