/** Harm that is done at the right moment, by several things that fail at once: chance alone seldom meets it. */
import type { Kind } from "../faults/strangers.ts";
import type { Dice } from "./dice.ts";
import type { Harm } from "./harms.ts";
import type { Fate } from "./machine.ts";
import type { ActPlan, ClockPlan, FalseDate } from "./scenario.ts";
import type { Way } from "./ways.ts";

/** What a plot decides; the rest is left to chance. */
export interface Plot {
  readonly name: string;
  readonly harmFor?: (kind: Kind | undefined, nth: number) => Harm | undefined;
  readonly falseDate?: FalseDate;
  readonly clockOf?: (machine: string) => ClockPlan | undefined;
  /** When the operator of a machine begins. */
  readonly beginsMs?: (machine: string) => number | undefined;
  readonly fateOf?: (machine: string, launch: number) => Fate | undefined;
  /** A copy of the disk is made then, and put back when the process is gone; its owner comes back so late. */
  readonly restores?: { readonly of: Kind; readonly at: number; readonly afterMs: number };
  /** The journal is damaged behind the first process. */
  readonly damages?: boolean;
  readonly flags?: readonly string[];
  /** Each process has a token that is good for so long. */
  readonly tokenMs?: number;
  readonly acts?: readonly ActPlan[];
  /** Nothing else is harmed. */
  readonly isAlone?: boolean;
}

const secondMs = 1_000;
const minuteMs = 60 * secondMs;
const hourMs = 60 * minuteMs;

type Plotting = (dice: Dice, way: Way) => Plot;

/** A call that is held back, while an answer says that its time is over. */
const heldCall: Plotting = (dice) => {
  const [at, afterMs] = [dice.between(1, 2), dice.span(20 * secondMs, 9.5 * minuteMs)];
  const harm: Harm = { is: "late", afterMs };
  const byMs = dice.pick([9.6, 12, 20, 60]) * minuteMs;
  return {
    name: "held call",
    harmFor: (kind, nth) => (kind === "call" && nth === at ? harm : undefined),
    falseDate: { fromMs: 0, toMs: 3 * hourMs, byMs },
    clockOf: () => rightClock,
    flags: ["--settle", "40m"],
  };
};

export const rightClock: ClockPlan = { offsetMs: 0, drift: 0, steps: [] };

/** A machine's clock is ahead, and a copy arrives when the service has forgotten the signature. */
const aheadCopy: Plotting = (dice) => {
  const at = dice.between(1, 3);
  const offsetMs = dice.between(minuteMs, 25 * minuteMs);
  const afterMs = dice.between(15 * minuteMs, 40 * minuteMs);
  const harm: Harm = { is: "doubled", afterMs, hears: "first" };
  return {
    name: "copy of a call",
    harmFor: (kind, nth) => (kind === "call" && nth === at ? harm : undefined),
    clockOf: () => ({ ...rightClock, offsetMs }),
  };
};

/** One stands still right before it sends, others come meanwhile, and may stand still themselves. */
const between: Plotting = (dice, way) => {
  const sends = way.isLater ? "schedule" : "send";
  const pauseMs = dice.span(20 * secondMs, 40 * minuteMs);
  const on = dice.pick(["request", "answer"] as const);
  const first: Fate = {
    ...{ on, of: dice.pick(["create", "add", "readGroup", sends]), at: dice.between(1, 2) },
    ...{ is: "pause", pauseMs },
  };
  const [thenMs, share] = [dice.span(secondMs, pauseMs), dice.roll()];
  const second: Fate = {
    ...{ on: "request", of: sends, at: dice.between(1, 2), is: "pause" },
    pauseMs: dice.span(secondMs, 2 * pauseMs),
  };
  return {
    name: "between a look and a send",
    clockOf: () => rightClock,
    beginsMs: (machine) => (machine === "A" ? 0 : machine === "B" ? thenMs : undefined),
    fateOf: (machine, launch) => {
      if (launch > 1) return undefined;
      return machine === "A" ? first : machine === "B" && share < 0.7 ? second : undefined;
    },
  };
};

/** When the machines begin that come behind the first one. */
const othersBegin = (begin: () => number): ReadonlyMap<string, number> =>
  new Map(["B", "C", "D", "E"].map((it) => [it, begin()] as const));

/** One stands still for about a day right before it sends: too long, or others come when it has sent. */
const slept: Plotting = (dice, way) => {
  const sends = way.isLater ? "schedule" : "send";
  const [fromHours, toHours, behindHours] = dice.chance(0.5) ? [26, 40, 0] : [8, 22, 24];
  const pauseMs = dice.between(fromHours * hourMs, toHours * hourMs);
  const fate: Fate = {
    ...{ on: "request", of: sends, at: 1 },
    ...{ is: "pause", pauseMs },
  };
  const lastMs = pauseMs + behindHours * hourMs;
  const begins = othersBegin(() => dice.between(25 * hourMs + minuteMs, lastMs));
  return {
    ...{ name: "a day's sleep", isAlone: true },
    beginsMs: (machine) => begins.get(machine) ?? 0,
    fateOf: (machine, launch) => (machine === "A" && launch === 1 ? fate : undefined),
  };
};

/** A folder is put back as it was before the send, long after others could see its groups. */
const restored: Plotting = (dice, way) => {
  const sends = way.isLater ? "schedule" : "send";
  const at = dice.between(1, 3);
  return {
    name: "restored folder",
    clockOf: () => rightClock,
    beginsMs: () => 0,
    fateOf: (_, launch) =>
      launch === 1 ? { on: "answer", of: sends, at, is: "kill", pauseMs: 0 } : undefined,
    restores: {
      of: dice.pick(["create", "add", "readGroup", sends]),
      at: dice.between(1, at),
      afterMs: dice.pick([minuteMs, dice.between(26 * hourMs, 60 * hourMs)]),
    },
  };
};

/** A process is killed behind a call, and its journal is damaged. */
const damagedJournal: Plotting = (dice) => {
  const fate: Fate = {
    ...{ on: "answer", of: "call", at: dice.between(1, 3) },
    ...{ is: dice.pick(["kill", "interrupt"]), pauseMs: 0 },
  };
  return {
    ...{ name: "damaged journal", damages: true },
    fateOf: (_, launch) => (launch === 1 ? fate : undefined),
  };
};

/** Two groups are given up, the deletion of one of them is not done, and a person sends what is left. */
const givenUp: Plotting = (dice) => {
  const added: Harm = { is: "stranger", arrives: true, turn: 3 };
  const undone: Harm = dice.chance(0.5)
    ? { is: "other", arrives: false }
    : { is: "stranger", arrives: false, turn: notFoundTurn };
  const at = dice.between(1, 2);
  const afterMs = dice.span(5 * secondMs, 3 * hourMs);
  return {
    ...{ name: "given up", isAlone: true },
    harmFor: (kind, nth) =>
      kind === "add" && nth <= 2 ? added : kind === "delete" && nth === at ? undone : undefined,
    acts: [{ act: "send", afterMs }],
    fateOf: () => undefined,
  };
};

/** A stranger that answers 404. */
const notFoundTurn = 5;

/** A send does not arrive, and what is read of its group is the record of the one before. */
const foreignRead: Plotting = (dice, way) => {
  const sends = way.isLater ? "schedule" : "send";
  const at = dice.between(4, 5);
  return {
    ...{ name: "foreign read", isAlone: true },
    clockOf: () => rightClock,
    harmFor: (kind, nth) => {
      if (kind === sends && nth <= 2) return { is: "stranger", arrives: nth === 1, turn: 3 };
      return kind === "readGroup" && nth === at ? { is: "other", arrives: false } : undefined;
    },
    fateOf: () => undefined,
  };
};

/** An add arrives between the look at its group and the send; the service takes a number twice. */
const lateAdd: Plotting = (dice) => {
  const [at, afterMs] = [dice.between(1, 2), dice.span(300, 4 * secondMs)];
  return {
    name: "late add",
    harmFor: (kind, nth) => (kind === "add" && nth === at ? { is: "late", afterMs } : undefined),
    flags: ["--dedupe", "off"],
  };
};

/** The same for a copy of an add, which a token does not keep from being performed; it may come long before the send. */
const copiedAdd: Plotting = (dice) => {
  const [at, afterMs] = [dice.between(1, 2), dice.span(300, 15 * secondMs)];
  const harm: Harm = { is: "doubled", afterMs, hears: "first" };
  const fate: Fate = {
    ...{ on: "answer", of: "readGroup", at: dice.between(1, 2) },
    ...{ is: "pause", pauseMs: dice.between(10 * secondMs, 20 * secondMs) },
  };
  return {
    ...{ name: "copied add", isAlone: true, tokenMs: 2 * hourMs },
    harmFor: (kind, nth) => (kind === "add" && nth === at ? harm : undefined),
    flags: ["--dedupe", "off"],
    fateOf: (_, launch) => (launch === 1 ? fate : undefined),
  };
};

/** The clock of one is days ahead. */
const daysAhead: Plotting = (dice) => {
  // By such a clock the last 25 hours begin a while ago, or not yet.
  const offsetMs = dice.chance(0.6)
    ? dice.between(24 * hourMs, 25 * hourMs - minuteMs)
    : dice.pick([1, -1]) * dice.between(25 * hourMs, 80 * hourMs);
  const begins = othersBegin(() => dice.span(100, dice.chance(0.6) ? 2 * hourMs : minuteMs));
  return {
    name: "days ahead",
    clockOf: (machine) => (machine === "A" ? rightClock : { ...rightClock, offsetMs }),
    beginsMs: (machine) => begins.get(machine) ?? 0,
  };
};

/** Two with one disk: one stands still until the other one has taken its run over. */
const takenOver: Plotting = (dice, way) => {
  const kinds: readonly [Kind, ...Kind[]] = way.command.includes("--direct")
    ? ["call"]
    : ["create", "add", "send", "readGroup"];
  const pauseMs = dice.span(16 * secondMs, 20 * minuteMs);
  const fate: Fate = {
    ...{ on: dice.pick(["request", "answer"]), of: dice.pick(kinds), at: dice.between(1, 3) },
    ...{ is: dice.pick(["pause", "pause", "kill"]), pauseMs },
  };
  const begins = othersBegin(() => dice.span(secondMs, 10 * secondMs));
  return {
    name: "taken over",
    beginsMs: (machine) => begins.get(machine) ?? 0,
    fateOf: (machine, launch) => (machine === "A" && launch === 1 ? fate : undefined),
  };
};

/** One stands still right before it sends; of its groups, that another one deletes, one is not: the answer is an earlier one. */
const foreignDeletion: Plotting = (dice, way) => {
  const sends = way.isLater ? "schedule" : "send";
  const pauseMs = dice.between(4 * minuteMs, 20 * minuteMs);
  const fate: Fate = { on: "request", of: sends, at: 1, is: "pause", pauseMs };
  const begins = othersBegin(() => dice.span(secondMs, minuteMs));
  const at = dice.between(2, 3);
  return {
    ...{ name: "foreign deletion", isAlone: true },
    clockOf: () => rightClock,
    beginsMs: (machine) => begins.get(machine) ?? 0,
    harmFor: (kind, nth) =>
      kind === "delete" && nth === at ? { is: "other", arrives: false } : undefined,
    fateOf: (machine, launch) => (machine === "A" && launch === 1 ? fate : undefined),
  };
};

/** A creation is not heard; its answer comes in place of a later one's, and others come when all is sent. */
const lateCreation: Plotting = (dice) => {
  const begins = othersBegin(() => dice.span(5 * minuteMs, hourMs));
  return {
    ...{ name: "late creation", isAlone: true },
    clockOf: () => rightClock,
    beginsMs: (machine) => begins.get(machine) ?? 0,
    harmFor: (kind, nth) => {
      if (kind !== "create") return undefined;
      if (nth === 1) return { is: "lost", arrives: true, isSilent: false };
      return nth === 3 ? { is: "other", arrives: false } : undefined;
    },
    fateOf: () => undefined,
  };
};

/** What few seeds play: there are groups enough for it. */
const rarePlotsFor = ({ machines, command, hasHours, isLater }: Way): readonly Plotting[] =>
  machines === "several" && !hasHours && command.includes("--group-size")
    ? [foreignDeletion, lateCreation, ...(isLater ? [] : [copiedAdd])]
    : [];

/** Which plots there are for a way; where there is none, all is left to chance. */
const plotsFor = (way: Way): readonly Plotting[] => {
  if (way.command.includes("--direct") || way.name === "single") return plotsOfCalls(way);
  if (way.machines === "one disk") return way.isRun ? [takenOver, takenOver, lateAdd] : [takenOver];
  if (way.name === "by hand") return [givenUp, givenUp, lateAdd];
  if (way.machines === "several" && !way.hasHours)
    return [between, between, ...(way.isLater ? [] : [slept, daysAhead]), ...ofRuns(way)];
  return [];
};

const plotsOfCalls = ({ machines, isRun }: Way): readonly Plotting[] => {
  if (machines === "one disk") return [takenOver, takenOver, heldCall];
  return [heldCall, aheadCopy, ...(isRun ? [damagedJournal] : [])];
};

/** Where a folder may be put back: the loop of its owner goes on with the run that is in it. */
const ofRuns = ({ isRun, diskFates }: Way): readonly Plotting[] =>
  isRun && diskFates.includes("put back") ? [restored, lateAdd, foreignRead] : [];

export const plotOf = (dice: Dice, way: Way): Plot | undefined => {
  const [first, ...rest] = plotsFor(way);
  const plot = first && dice.chance(0.5) ? dice.pick([first, ...rest])(dice, way) : undefined;
  const [rare, ...others] = rarePlotsFor(way);
  return rare && dice.chance(0.1) ? dice.pick([rare, ...others])(dice, way) : plot;
};
