/**
 * Machines that send the same rows and know nothing of each other: each row once, whoever of them ends how.
 * `EVERY=1` walks deeper ones, too.
 */
import { expect, test } from "vitest";
import { conclude, decide } from "../../../src/send/protocol/machine.ts";
import { countOf, isEvery } from "../../support/share.ts";
import { type Protocol, real } from "./several-machines/machines.ts";
import { type Walk, walk } from "./several-machines/walk.ts";
import { deepWalks, one, planned, walkOf, walks } from "./several-machines/walks.ts";

const played = { states: 0 };
const isClean = { duplicates: 0, lost: 0, stuck: 0 };

test.each(isEvery ? [...walks, ...deepWalks] : walks)(
  "%s: nothing is sent twice or lost, and every row can be sent, from every state",
  (_, of) => {
    const { endings, ...found } = walk(real, of);
    played.states += found.states;
    expect(found).toMatchObject(isClean);
    expect(endings[of.machines.map(() => "done").join("+")]).toBeGreaterThan(0);
  },
  3_600_000,
);

const leastStates = countOf(11_000_000, 60_000);

test(`these are at least ${leastStates} states`, () => {
  expect(played.states).toBeGreaterThanOrEqual(leastStates);
});

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
    const rivals = state.rivals?.filter((it) => it.isActive && it.run < own);
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

/** Leaves groups of its run alone that it has not made. */
const trustOwnRun: Protocol = {
  conclude,
  decide: (state, clock) => {
    const rivals = state.rivals?.filter((it) => it.run !== state.shape.claim?.run);
    return decide({ ...state, rivals }, clock);
  },
};

/** Sends groups that tell others nothing. */
const sendBare: Protocol = {
  decide,
  conclude: (state, action, outcome) =>
    conclude(state, action, outcome.type === "bare" ? { type: "list", groups: [] } : outcome),
};

/** Writes down what others have sent before it gives its own groups up. */
const takeFirst: Protocol = {
  decide,
  conclude: (state, action, outcome) => {
    const facts = conclude(state, action, outcome);
    return [...facts.filter(({ t }) => t === "TAKEN"), ...facts.filter(({ t }) => t !== "TAKEN")];
  },
};

const endsAtFirst = true;

test.each<readonly [string, Protocol, Walk, "duplicates" | "lost"]>([
  ["looking, then sending", lookThenSend, walkOf([one, one], {}), "duplicates"],
  ["letting the lowest id win", lowestIdWins, walkOf([one, one], {}), "duplicates"],
  ["taking what was refused for sent", refusedMeansSent, walkOf([one, one], { faults: 1 }), "lost"],
  ["trusting one's own run", trustOwnRun, walkOf([planned, planned], {}), "duplicates"],
  [
    "sending what tells nothing",
    sendBare,
    walkOf([one, one], {}, { fields: "echoed" }),
    "duplicates",
  ],
  ["writing down first what others sent", takeFirst, walkOf([one, one], { cuts: 1 }), "duplicates"],
])("the same walk finds that %s breaks the promise", (_, protocol, of, breaks) => {
  expect(walk(protocol, { ...of, endsAtFirst })[breaks]).toBeGreaterThan(0);
});
