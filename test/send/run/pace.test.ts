/** How long a run waits behind answers that brought nothing. */
import { expect, test } from "vitest";
import type { Action } from "../../../src/send/protocol/actions.ts";
import { createPace } from "../../../src/send/run/pace.ts";
import { runFile } from "./seven-rows.ts";

/** Every random byte is 0: each pause is its shortest, half of what it is at most. */
const paceAt = (clock: { ms: number }) =>
  createPace({
    run: runFile,
    rate: undefined,
    ticks: () => clock.ms,
    random: (bytes) => new Uint8Array(bytes),
    limitDelay: () => undefined,
    onLimit: () => undefined,
  });

const list: Action = { type: "listRivals", own: ["G1"], known: ["G1"], since: undefined };
const read: Action = {
  ...{ type: "check", groupIndex: 0, id: "G1" },
  expected: { accepted: 1, refused: 0 },
};

test("a list that never shows a group is asked for more and more seldom, whatever reads say", () => {
  const clock = { ms: 0 };
  const pace = paceAt(clock);
  const pauses: number[] = [];
  for (let round = 0; round < 9; round += 1) {
    pace.ended(list, { type: "unlisted", ids: ["G1"] });
    const pause = pace.before(read);
    pauses.push(pause);
    clock.ms += pause;
    pace.ended(read, {
      ...{ type: "group", status: "open", cost: 0 },
      counts: { accepted: 1, refused: 0 },
    });
    expect(pace.before(list)).toBe(0);
  }
  expect(pauses).toEqual([50, 100, 200, 400, 800, 1_600, 2_500, 2_500, 2_500]);
});

test("a good answer ends the pauses of its own type", () => {
  const clock = { ms: 0 };
  const pace = paceAt(clock);
  pace.ended(list, { type: "unlisted", ids: ["G1"] });
  pace.ended(list, { type: "list", groups: [] });
  expect(pace.before(list)).toBe(0);
  pace.ended(list, { type: "unlisted", ids: ["G1"] });
  expect(pace.before(list)).toBe(50);
});
