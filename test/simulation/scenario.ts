/** What is tried with one seed: who sends what from where, and which harm is done to them. */
import type { Passing } from "../faults/line.ts";
import { type Dice, diceFor } from "./dice.ts";
import type { Harm } from "./line.ts";
import type { Effect, Fate } from "./machine.ts";

const secondMs = 1_000;
const minuteMs = 60 * secondMs;
const hourMs = 60 * minuteMs;

/** How the operators send. */
export interface Way {
  readonly name: string;
  /** Machines that know nothing of each other; or hosts with one disk. */
  readonly machines: "one" | "several" | "one disk";
  readonly command: readonly string[];
  readonly isRun: boolean;
  readonly isLater: boolean;
  /** Behind which exit codes the same command may be run again; undefined for all. */
  readonly runAgain?: readonly number[];
  readonly diskFates: readonly [DiskFate, ...DiskFate[]];
  /** What a process may meet. */
  readonly fates: readonly [Fate["is"], ...Fate["is"][]];
}

/** What becomes of a disk between two processes. */
export type DiskFate = "kept" | "power cut" | "lost" | "put back" | "damaged";

const content = ["--from", "0200000000", "--text", "x", "--json"];
const many = ["send-many", "-", ...content];
const groups = ["--chunk", "2", "--group-size", "2"];
const anyDisk = ["kept", "power cut", "lost", "put back", "damaged"] as const;
const ownDisk = ["kept", "power cut"] as const;
const anyFate = ["kill", "kill", "pause", "interrupt"] as const;

const run = { isRun: true, isLater: false, fates: anyFate } as const;
const single = { isRun: false, isLater: false, machines: "one", diskFates: ownDisk } as const;

export const ways: readonly [Way, ...Way[]] = [
  { ...run, name: "list", machines: "several", command: many, diskFates: anyDisk },
  {
    ...run,
    name: "groups",
    machines: "several",
    command: [...many, ...groups],
    diskFates: anyDisk,
  },
  {
    ...run,
    name: "hour",
    machines: "several",
    command: [...many, ...groups],
    isLater: true,
    diskFates: anyDisk,
  },
  {
    ...run,
    name: "one disk",
    machines: "one disk",
    command: [...many, ...groups],
    diskFates: ownDisk,
  },
  {
    ...run,
    name: "direct",
    machines: "one",
    command: [...many, "--direct", "--chunk", "2", "--concurrency", "1"],
    diskFates: ["kept", "power cut", "damaged"],
    fates: ["kill", "interrupt"],
  },
  {
    ...run,
    name: "list with a key",
    machines: "several",
    command: [...many, ...groups, "--once", "july"],
    diskFates: anyDisk,
  },
  {
    ...single,
    name: "key on machines",
    machines: "several",
    command: ["send", ...content, "--once", "order-1"],
    diskFates: anyDisk,
    fates: anyFate,
  },
  {
    ...single,
    name: "key on one disk",
    machines: "one disk",
    command: ["send", ...content, "--once", "order-1"],
    fates: anyFate,
  },
  {
    ...single,
    name: "once",
    command: ["send", ...content, "--once", "order-1"],
    fates: anyFate,
  },
  {
    ...single,
    name: "single",
    command: ["send", ...content],
    runAgain: [4, 5, 6, 9, 10],
    fates: ["pause", "interrupt"],
  },
];

/** Which harm is done; one that is left out is not, and moves no other. */
export interface Faults {
  readonly isOn: (id: string) => boolean;
}

export interface Scenario {
  readonly seed: number;
  readonly way: Way;
  readonly rows: number;
  readonly machines: readonly string[];
  readonly hourMs: number;
  /** Behind this time, and this many processes of a machine, nothing is harmed any more. */
  readonly harmEndsMs: number;
  readonly harmedLaunches: number;
  readonly harmFor: (line: string, number: number, passing: Passing) => Harm | undefined;
  readonly falseDate: (line: string) => FalseDate | undefined;
  readonly fateOf: (machine: string, launch: number) => Fate | undefined;
  readonly diskFateOf: (machine: string, launch: number) => DiskFate;
  readonly clockOf: (machine: string) => ClockPlan;
}

export interface FalseDate {
  readonly fromMs: number;
  readonly toMs: number;
  readonly byMs: number;
}

export interface ClockPlan {
  readonly offsetMs: number;
  readonly drift: number;
  readonly steps: readonly { readonly atMs: number; readonly byMs: number }[];
}

export const scenarioOf = (seed: number, faults: Faults): Scenario => {
  const dice = diceFor(seed, "scenario");
  const way = dice.pick(ways);
  const several = way.machines === "one" ? 1 : dice.between(way.machines === "several" ? 1 : 2, 3);
  const share = dice.pick([0, 0.05, 0.15, 0.3]);
  const harms = kindsOfHarm.filter(() => dice.chance(0.6));
  const harmEndsMs = dice.span(10 * minuteMs, 30 * hourMs);
  return {
    seed,
    way,
    rows: way.isRun ? dice.between(1, 5) : 1,
    machines: ["A", "B", "C", "D", "E"].slice(0, several),
    hourMs: Math.ceil(dice.span(30 * minuteMs, 30 * hourMs) / minuteMs) * minuteMs,
    harmEndsMs,
    harmedLaunches: dice.between(1, 4),
    harmFor: (line, number, passing) => {
      const own = diceFor(seed, "net", line, number);
      const [first, ...rest] = harms;
      if (!first || !own.chance(share)) return undefined;
      const harm = harmOf(own.pick([first, ...rest]), own, passing);
      return harm && faults.isOn(`net ${line} ${number}`) ? harm : undefined;
    },
    falseDate: (line) => falseDateOf(diceFor(seed, "date", line), faults, `date ${line}`),
    fateOf: (machine, launch) =>
      fateOf(diceFor(seed, "fate", machine, launch), way, faults, `fate ${machine} ${launch}`),
    diskFateOf: (machine, launch) => {
      const fate = diceFor(seed, "disk", machine, launch).pick(way.diskFates);
      return fate !== "kept" && faults.isOn(`disk ${machine} ${launch}`) ? fate : "kept";
    },
    clockOf: (machine) => clockOf(diceFor(seed, "clock", machine), faults, `clock ${machine}`),
  };
};

const kindsOfHarm = [
  "unconnected",
  "lost",
  "silent",
  "late",
  "doubled",
  "cut",
  "stranger",
  "other",
] as const;

const harmOf = (
  is: (typeof kindsOfHarm)[number],
  dice: Dice,
  { method }: Passing,
): Harm | undefined => {
  const arrives = dice.chance(0.6);
  switch (is) {
    case "unconnected":
    case "cut":
      return { is };
    case "lost":
    case "silent":
      return { is: "lost", arrives, isSilent: is === "silent" };
    case "late":
      // A late read tells no one anything.
      return method === "GET" ? undefined : { is, afterMs: lateness(dice) };
    case "doubled":
      return { is, afterMs: lateness(dice), hears: dice.pick(["first", "second"]) };
    case "stranger":
      return { is, arrives, turn: dice.between(0, 59) };
    case "other":
      return { is, arrives };
  }
};

/** Often about as long as the service remembers a signature. */
const lateness = (dice: Dice): number =>
  dice.chance(0.5)
    ? dice.between(13 * minuteMs, 21 * minuteMs)
    : dice.span(50, dice.chance(0.2) ? 26 * hourMs : 12 * minuteMs);

const falseDateOf = (dice: Dice, faults: Faults, id: string): FalseDate | undefined => {
  if (!dice.chance(0.25) || !faults.isOn(id)) return undefined;
  const fromMs = dice.between(0, 2 * minuteMs);
  const sign = dice.pick([1, 1, -1]);
  const byMs = sign * dice.pick([20 * minuteMs, dice.span(minuteMs, 3 * 24 * hourMs)]);
  return { fromMs, toMs: fromMs + dice.span(minuteMs, 4 * hourMs), byMs };
};

const effects: readonly [Effect, ...Effect[]] = ["change", "request", "answer"];

const fateOf = (dice: Dice, way: Way, faults: Faults, id: string): Fate | undefined => {
  if (!dice.chance(0.6) || !faults.isOn(id)) return undefined;
  const on = dice.pick(effects);
  const pauseMs = dice.span(secondMs, dice.chance(0.3) ? 27 * hourMs : 40 * minuteMs);
  return { on, at: dice.between(1, on === "change" ? 70 : 18), is: dice.pick(way.fates), pauseMs };
};

const clockOf = (dice: Dice, faults: Faults, id: string): ClockPlan => {
  const offsetMs = dice.pick([1, -1]) * dice.span(1, dice.pick([3_000, 6 * minuteMs, 2 * hourMs]));
  const steps = Array.from({ length: dice.between(0, 2) }, () => ({
    atMs: dice.span(secondMs, 3 * hourMs),
    byMs: dice.pick([1, -1]) * dice.span(secondMs, dice.chance(0.3) ? 50 * hourMs : 10 * minuteMs),
  })).filter((_, at) => faults.isOn(`${id} ${at}`));
  const drift = (dice.roll() - 0.5) / 2_000;
  return faults.isOn(id) ? { offsetMs, drift, steps } : { offsetMs: 0, drift: 0, steps };
};
