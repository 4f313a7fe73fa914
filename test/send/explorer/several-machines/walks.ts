/** What several machines meet that send the same rows: each is walked through every interleaving. */
import type { Limits } from "./machines.ts";
import type { Walk } from "./walk.ts";

const calm: Limits = { faults: 0, kills: 0, cuts: 0, losses: 0, ages: 0, offs: 0 };
export const one = { rows: [1], width: 1 };
const twoGroups = { rows: [1, 1], width: 1 };
const oneGroup = { rows: [1, 1], width: 2 };
const oneChunk = { rows: [2], width: 1 };
/** One that sends the rows once more. */
const again = { ...one, isAgain: true };
/** Machines with one plan: their runs have one id, and each a journal of its own. */
export const planned = { ...one, run: "P" };

export const walkOf = (
  machines: Walk["machines"],
  limits: Partial<Limits>,
  more: Partial<Walk> = {},
): Walk => ({
  ...{ machines, limits: { ...calm, ...limits }, maxGroups: 2, checkEvery: 20 },
  ...more,
});

const two = [one, one];
const three = { maxGroups: 3 };
const four = { maxGroups: 4 };
const dropped = { fields: "dropped" } as const;
const echoed = { fields: "echoed" } as const;

/** A list is answered with any of before. */
const lateList = { faults: 1, spoils: "listRivals" } as const;

/** The answer to a creation comes in place of that to one a day later. */
const lateCreation = { faults: 1, kills: 1, ages: 2, spoils: "create" } as const;

/** `npm test` walks these. */
export const walks: readonly (readonly [string, Walk])[] = [
  ["two that are killed", walkOf(two, { kills: 1 })],
  ["two that lose what they wrote down", walkOf(two, { losses: 1 })],
  ["two that stand still for more than a day", walkOf(two, { ages: 2 })],
  ["groups of another size", walkOf([twoGroups, oneGroup], {}, three)],
  ["chunks of another size", walkOf([twoGroups, oneChunk], {}, three)],
  ["a group that is halved", walkOf([oneGroup, oneChunk], { faults: 1, spoils: "add" }, three)],
  ["two that wait for an hour", walkOf(two, { offs: 1 }, { ...three, isLater: true })],
  ["two whose sends a bad line spoils", walkOf(two, { faults: 1, spoils: "send" })],
  ["three with one group", walkOf([one, one, one], {}, { maxGroups: 1 })],
  ["one that sends once more, and loses that", walkOf([again, one], { losses: 1 }, three)],
  ["two with one plan", walkOf([planned, planned], {}, three)],
  ["two without fields of groups", walkOf(two, {}, { ...three, ...dropped })],
  ["lists of before", walkOf(two, lateList)],
  ["no fields, lists of before", walkOf(two, lateList, { ...three, ...dropped })],
  ["two whose fields only creations show", walkOf(two, {}, { ...four, ...echoed })],
  ["two whose power is cut", walkOf(two, { cuts: 1 })],
  ["fields of creations alone, a power cut", walkOf(two, { cuts: 1 }, { ...three, ...echoed })],
];

/** Deeper ones, that `EVERY=1` walks besides. */
export const deepWalks: readonly (readonly [string, Walk])[] = [
  ["three with two groups", walkOf([one, one, one], {})],
  ["three with three groups", walkOf([one, one, one], {}, three)],
  ["a bad line, four groups", walkOf(two, { faults: 1 }, four)],
  ["a bad line, a kill", walkOf(two, { faults: 1, kills: 1 }, three)],
  ["a bad line, a lost state", walkOf(two, { faults: 1, losses: 1 }, three)],
  ["a bad line, a day", walkOf(two, { faults: 1, ages: 2 }, three)],
  ["a kill, a lost state, a day", walkOf(two, { kills: 1, losses: 1, ages: 2 }, three)],
  ["a creation that is answered a day late", walkOf(two, lateCreation)],
  ["lists of before, three groups", walkOf(two, lateList, three)],
  ["lists of before, a kill", walkOf(two, { ...lateList, kills: 1 }, three)],
  ["lists of before, a lost state", walkOf(two, { ...lateList, losses: 1 }, three)],
  ["lists of before, groups of another size", walkOf([twoGroups, oneGroup], lateList, three)],
  ["lists of before, an hour", walkOf(two, lateList, { ...three, isLater: true })],
  ["lists of before, one plan", walkOf([planned, planned], lateList, three)],
  ["chunks of another size, a kill", walkOf([twoGroups, oneChunk], { kills: 1 }, three)],
  ["halved groups", walkOf([oneGroup, oneGroup], { faults: 1 }, four)],
  ["halved groups beside single ones", walkOf([oneGroup, twoGroups], { faults: 1 }, three)],
  [
    "an hour, a bad line, an operator",
    walkOf(two, { faults: 1, offs: 1 }, { ...three, isLater: true }),
  ],
  ["once more, a kill, a lost state", walkOf([again, one], { kills: 1, losses: 1 }, three)],
  ["once more, a bad line, a lost state", walkOf([again, one], { faults: 1, losses: 1 }, three)],
  ["one plan, a kill", walkOf([planned, planned], { kills: 1 }, three)],
  ["one plan, a bad line", walkOf([planned, planned], { faults: 1 }, three)],
  ["no fields, a kill", walkOf(two, { kills: 1 }, { ...three, ...dropped })],
  ["no fields, a bad line", walkOf(two, { faults: 1 }, { ...three, ...dropped })],
  [
    "no fields, lists of before, a kill",
    walkOf(two, { ...lateList, kills: 1 }, { ...three, ...dropped }),
  ],
  [
    "no fields, lists of before, a lost state",
    walkOf(two, { ...lateList, losses: 1 }, { ...three, ...dropped }),
  ],
  ["no fields, a lost state", walkOf(two, { losses: 1 }, { ...three, ...dropped })],
  ["fields of creations alone, a kill", walkOf(two, { kills: 1 }, { ...four, ...echoed })],
  ["two power cuts", walkOf(two, { cuts: 2 }, three)],
  ["a power cut, a kill", walkOf(two, { cuts: 1, kills: 1 }, three)],
  ["a power cut, a bad line", walkOf(two, { cuts: 1, faults: 1 }, three)],
  ["a power cut, a lost state", walkOf(two, { cuts: 1, losses: 1 }, three)],
  ["a power cut, a day", walkOf(two, { cuts: 1, ages: 2 }, three)],
  ["a power cut, lists of before", walkOf(two, { ...lateList, cuts: 1 }, three)],
  ["a power cut, groups of another size", walkOf([twoGroups, oneGroup], { cuts: 1 }, three)],
  ["a power cut, chunks of another size", walkOf([twoGroups, oneChunk], { cuts: 1 }, three)],
  ["a power cut, an hour", walkOf(two, { cuts: 1, offs: 1 }, { ...three, isLater: true })],
  ["a power cut, one plan", walkOf([planned, planned], { cuts: 1 }, three)],
  ["no fields, a power cut", walkOf(two, { cuts: 1 }, { ...three, ...dropped })],
  ["fields of creations alone, four groups", walkOf(two, { cuts: 1 }, { ...four, ...echoed })],
  ["fields of creations alone, a lost state", walkOf(two, { losses: 1 }, { ...four, ...echoed })],
];
