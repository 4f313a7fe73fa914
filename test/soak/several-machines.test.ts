/** Two and three machines that send the same rows, as deep as an hour goes: each row once. */
import { expect, test } from "vitest";
import { type Limits, real, type Walk, walk } from "../send/explorer/several-machines.ts";

const calm: Limits = { faults: 0, kills: 0, losses: 0, ages: 0, offs: 0 };
const one = { rows: [1], width: 1 };
const twoGroups = { rows: [1, 1], width: 1 };
const oneChunk = { rows: [2], width: 1 };

const deep = (
  machines: Walk["machines"],
  limits: Partial<Limits>,
  more: Partial<Walk> = {},
): Walk => ({
  ...{ machines, limits: { ...calm, ...limits }, maxGroups: 3, checkEvery: 10 },
  ...more,
});

test.each<readonly [string, Walk]>([
  ["three machines", deep([one, one, one], {})],
  ["a bad line", deep([one, one], { faults: 1 }, { maxGroups: 4 })],
  ["a bad line and a kill", deep([one, one], { faults: 1, kills: 1 })],
  ["a bad line and a lost state", deep([one, one], { faults: 1, losses: 1 })],
  ["a bad line and a day that passes", deep([one, one], { faults: 1, ages: 2 })],
  ["a kill, a lost state and a day", deep([one, one], { kills: 1, losses: 1, ages: 2 })],
  ["chunks of another size, a kill", deep([twoGroups, oneChunk], { kills: 1 })],
  ["an hour, a bad line, an operator", deep([one, one], { faults: 1, offs: 1 }, { isLater: true })],
])("%s: nothing is sent twice or lost, and every row can be sent", (_, of) => {
  const { endings: _endings, states: _states, ...found } = walk(real, of);
  expect(found).toEqual({ duplicates: 0, lost: 0, stuck: 0 });
});
