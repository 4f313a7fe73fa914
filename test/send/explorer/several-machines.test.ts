/** Machines that send the same rows and know nothing of each other: each row once, whoever of them ends how. */
import { expect, test } from "vitest";
import { conclude, decide } from "../../../src/send/protocol/machine.ts";
import { type Limits, type Protocol, real, type Walk, walk } from "./several-machines.ts";

const calm: Limits = { faults: 0, kills: 0, losses: 0, ages: 0, offs: 0 };
const one = { rows: [1], width: 1 };
const twoGroups = { rows: [1, 1], width: 1 };
const oneGroup = { rows: [1, 1], width: 2 };
const oneChunk = { rows: [2], width: 1 };

const walkOf = (
  machines: Walk["machines"],
  limits: Partial<Limits>,
  more: Partial<Walk> = {},
): Walk => ({
  ...{ machines, limits: { ...calm, ...limits }, maxGroups: 2, checkEvery: 20 },
  ...more,
});

const walks: readonly (readonly [string, Walk])[] = [
  ["two that are killed", walkOf([one, one], { kills: 1 })],
  ["two that lose what they wrote down", walkOf([one, one], { losses: 1 })],
  ["two that stand still for more than a day", walkOf([one, one], { ages: 2 })],
  ["groups of another size", walkOf([twoGroups, oneGroup], {}, { maxGroups: 3 })],
  ["chunks of another size", walkOf([twoGroups, oneChunk], {}, { maxGroups: 3 })],
  ["two that wait for an hour", walkOf([one, one], { offs: 1 }, { isLater: true, maxGroups: 3 })],
  ["two over a bad line", walkOf([one, one], { faults: 1 })],
];

test("two machines: nothing is sent twice or lost, and every row can be sent, from every state (≥ 60,000 states)", () => {
  let states = 0;
  for (const [name, of] of walks) {
    const { endings, ...found } = walk(real, of);
    states += found.states;
    expect({ name, ...found }).toMatchObject({ name, duplicates: 0, lost: 0, stuck: 0 });
    expect(endings["done+done"], name).toBeGreaterThan(0);
  }
  expect(states).toBeGreaterThanOrEqual(60_000);
}, 120_000);

/** Sends what nobody has sent when it looks. */
const lookThenSend: Protocol = {
  conclude,
  decide: (state, clock) => decide(state.rivals ? { ...state, rivals: [] } : state, clock),
};

/** Waits for whoever has the lower id, as long as that one is at work. */
const lowestIdWins: Protocol = {
  conclude,
  decide: (state, clock) => {
    const own = state.shape.claim?.run ?? "";
    const rivals = state.rivals?.filter((it) => it.isMoving && it.run < own);
    return decide({ ...state, rivals }, clock);
  },
};

/** Takes a group for sent that was not deleted when it was asked for that. */
const refusedMeansSent: Protocol = {
  decide,
  conclude: (state, action, outcome) => {
    if (action.type !== "deleteRival" || outcome.type !== "list")
      return conclude(state, action, outcome);
    const groups = outcome.groups.map((it) =>
      it.status === "open" ? { ...it, status: "sent" as const } : it,
    );
    return conclude(state, action, { ...outcome, groups });
  },
};

test.each<readonly [string, Protocol, Partial<Limits>, "duplicates" | "lost"]>([
  ["looking, then sending", lookThenSend, {}, "duplicates"],
  ["letting the lowest id win", lowestIdWins, {}, "duplicates"],
  ["taking what was refused for sent", refusedMeansSent, { faults: 1 }, "lost"],
])("the same walk finds that %s breaks the promise", (_, protocol, limits, breaks) => {
  const found = walk(protocol, walkOf([one, one], limits, { endsAtFirst: true }));
  expect(found[breaks]).toBeGreaterThan(0);
});
