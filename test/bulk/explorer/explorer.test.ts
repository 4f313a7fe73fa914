/** The sending protocol of src through every interleaving; protocols known to be bad are found bad. */
import { expect, test } from "vitest";
import { conclude, decide } from "../../../src/bulk/protocol/machine.ts";
import type { Shape } from "../../../src/bulk/protocol/state.ts";
import {
  countThenAddAgain,
  lookThenResend,
  retryWithNewSignature,
  sendUnread,
  takeOpenForNeverSent,
} from "./bad-protocols.ts";
import { type Budget, explore, type Machine } from "./explorer.ts";

const real: Machine = { decide, conclude };

const shape = (path: Shape["path"], chunks: number, more: Partial<Shape> = {}): Shape => ({
  path,
  rows: Array.from({ length: chunks }, () => 1),
  width: 2,
  concurrency: 2,
  signed: true,
  tagged: true,
  scheduled: false,
  goal: "finish",
  ...more,
});

const budget = (
  faults: number,
  kills: number,
  ages: number,
  others: { cancels?: number; offs?: number; touches?: number } = {},
): Budget => ({ faults, kills, ages, cancels: 0, offs: 0, touches: 0, ...others });

const clean = { duplicates: 0, lost: 0, strange: 0, stuck: 0 };

const walks: readonly (readonly [string, Shape, Budget])[] = [
  ["path G, one chunk, with cancel", shape("G", 1), budget(2, 1, 1, { cancels: 1 })],
  ["path G, two chunks at once in one group", shape("G", 2), budget(2, 1, 0)],
  ["path G, two chunks at once, ageing", shape("G", 2), budget(1, 1, 1)],
  ["path G, two groups", shape("G", 2, { width: 1 }), budget(2, 1, 0)],
  ["path G without a fence", shape("G", 1, { signed: false }), budget(3, 1, 1)],
  [
    "path G at an hour, with cancel",
    shape("G", 1, { scheduled: true }),
    budget(2, 1, 1, { cancels: 1 }),
  ],
  [
    "path G at an hour, two groups, with cancel",
    shape("G", 2, { scheduled: true, width: 1, concurrency: 1 }),
    budget(1, 1, 0, { cancels: 1 }),
  ],
  [
    "path G at an hour, taken off its schedule by somebody else",
    shape("G", 1, { scheduled: true }),
    budget(1, 1, 1, { cancels: 1, offs: 2 }),
  ],
  [
    "path G at an hour, one of two groups taken off",
    shape("G", 2, { scheduled: true, width: 1, concurrency: 1 }),
    budget(0, 1, 0, { cancels: 1, offs: 1 }),
  ],
  ["path G, touched by somebody else", shape("G", 1), budget(1, 1, 1, { cancels: 1, touches: 2 })],
  [
    "path G, one of two groups touched",
    shape("G", 2, { width: 1, concurrency: 1 }),
    budget(1, 1, 0, { touches: 1 }),
  ],
  [
    "path G at an hour, touched by somebody else",
    shape("G", 1, { scheduled: true }),
    budget(1, 1, 1, { cancels: 1, touches: 1 }),
  ],
  ["path S", shape("S", 1), budget(3, 1, 3)],
  ["direct, one call after the other", shape("direct", 2, { concurrency: 1 }), budget(2, 1, 3)],
  ["direct, two calls at once", shape("direct", 2), budget(2, 1, 1)],
];

test("P01 P02 P04 P14 N06 N07 N08 S01: nothing is sent twice, lost or stuck in any interleaving (≥ 130,000 states)", () => {
  let states = 0;
  for (const [name, of, within] of walks) {
    const found = explore(real, of, within);
    states += found.states;
    expect({ name, ...pick(found) }).toEqual({ name, ...clean });
    expect(found.endings.done).toBeGreaterThan(0);
  }
  expect(states).toBeGreaterThanOrEqual(130_000);
}, 240_000);

test("N06 a call that carries no signature or no tag is never sent twice, and ends as unknown", () => {
  for (const lacks of [{ signed: false }, { tagged: false }]) {
    const found = explore(real, shape("S", 1, lacks), budget(2, 1, 3));
    expect(pick(found)).toMatchObject({ duplicates: 0, lost: 0 });
    expect(found.endings.unknown).toBeGreaterThan(0);
  }
});

test("the same walk finds that a retry with a new signature sends twice", () => {
  const found = explore(retryWithNewSignature, shape("S", 1), budget(1, 0, 0));
  expect(found.duplicates).toBeGreaterThan(0);
});

test("the same walk finds that looking and sending again sends twice", () => {
  const found = explore(lookThenResend, shape("S", 1), budget(2, 1, 0));
  expect(found.duplicates).toBeGreaterThan(0);
});

test("the same walk finds that counting and adding again sends twice", () => {
  const found = explore(countThenAddAgain, shape("G", 1), budget(2, 1, 0));
  expect(found.duplicates).toBeGreaterThan(0);
});

test("the same walk finds that what was taken off its schedule may be sent after all", () => {
  const found = explore(
    takeOpenForNeverSent,
    shape("G", 1, { scheduled: true }),
    budget(1, 1, 1, { offs: 1 }),
  );
  expect(found.lost).toBeGreaterThan(0);
});

test("the same walk finds that a group which is not read once more is sent with what was added to it", () => {
  const within = budget(1, 1, 0, { touches: 1 });
  expect(explore(sendUnread, shape("G", 1), within).strange).toBeGreaterThan(0);
});

const pick = ({ duplicates, lost, strange, stuck }: typeof clean) => ({
  ...{ duplicates, lost, strange, stuck },
});
