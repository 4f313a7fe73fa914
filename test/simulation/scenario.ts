/** What is tried with one seed: who sends what from where, and which harm is done to them. */
import type { Passing } from "../faults/line.ts";
import type { Kind } from "../faults/strangers.ts";
import { type Dice, diceFor } from "./dice.ts";
import { appendOf, clockOf, falseDateOf, fateOf } from "./fates.ts";
import {
  aimOf,
  type Harm,
  harmOf,
  isLimited,
  kindOf,
  kindsOfHarm,
  type Outage,
  outageOf,
} from "./harms.ts";
import type { Fate } from "./machine.ts";
import { type Plot, plotOf, rightClock } from "./plots.ts";
import { blockedOf, purseOf, shortHourOf, shortOf } from "./shortages.ts";
import {
  type Act,
  cuts,
  type DiskFate,
  isPlain,
  ownDisk,
  parted,
  retries,
  untagged,
  type Way,
  ways,
  widened,
  withCanary,
  withPerson,
} from "./ways.ts";

const secondMs = 1_000;
const minuteMs = 60 * secondMs;
const hourMs = 60 * minuteMs;

/** Which harm is done; one that is left out is not, and moves no other. */
export interface Faults {
  readonly isOn: (id: string) => boolean;
}

export interface Scenario {
  readonly seed: number;
  readonly way: Way;
  /** What was set up; chance alone where it is undefined. */
  readonly plot: Plot | undefined;
  readonly rows: number;
  readonly machines: readonly string[];
  readonly hourMs: number;
  /** Behind this time, and this many processes of a machine, nothing is harmed any more. */
  readonly harmEndsMs: number;
  readonly harmedLaunches: number;
  /** How many groups the service shows on a page. */
  readonly pageRows: number;
  /** The service does not give custom fields of groups back. */
  readonly dropsFields: boolean;
  /** How long the token of a process is good for; undefined where it signs with a key. */
  readonly tokenMs: number | undefined;
  readonly harmFor: (line: string, passing: Passing, nth: number) => Harm | undefined;
  readonly falseDate: (line: string) => FalseDate | undefined;
  readonly fateOf: (machine: string, launch: number) => Fate | undefined;
  readonly diskFateOf: (machine: string, launch: number) => DiskFate;
  /** How many bytes the disk has room for while a process runs; undefined for enough. */
  readonly roomOf: (machine: string, launch: number) => number | undefined;
  /** Which synchronisation of its disk fails while a process runs; undefined for none. */
  readonly failsSyncOf: (machine: string, launch: number) => number | undefined;
  /** The same of any change of it. */
  readonly failsChangeOf: (machine: string, launch: number) => number | undefined;
  readonly clockOf: (machine: string) => ClockPlan;
  /** What a person does by hand, one behind the other. */
  readonly acts: readonly ActPlan[];
  /** What is in the purse, from which time on; there is enough where it is undefined. */
  readonly purse: readonly Filling[] | undefined;
  /** Whether the service finds the quota used up when it is asked to send a group, from 1; undefined where it never is. */
  readonly isShort: ((send: number) => boolean) | undefined;
  /** So long before and behind the hour of what is scheduled the quota is used up; undefined where it is not. */
  readonly shortHour: { readonly beforeMs: number; readonly afterMs: number } | undefined;
  /** The service refuses these rows, by their place, until then. */
  readonly blocked: { readonly rows: readonly number[]; readonly untilMs: number } | undefined;
  /** The operator cancels what a process left. */
  readonly cancels: boolean;
  /** These machines send one plan, which was made elsewhere. */
  readonly planned: readonly string[];
  /**
   * So long a gateway repeats what it was answered. The Date of that moves the time of signatures back, and a longer
   * one behind what the service takes.
   */
  readonly cacheMs: number;
  /** The list comes in another order: whoever exports it once more may get that. Undefined where it never does. */
  readonly turns: ((machine: string, launch: number) => boolean) | undefined;
  /** How a machine cuts the list into requests and groups; undefined for the way's own cut. */
  readonly cutOf: (machine: string) => readonly string[] | undefined;
  /** The operator exports what there is behind this process, before going on. */
  readonly exportsBehind: (machine: string, launch: number) => boolean;
  /** So long the list of groups does not show a new one. */
  readonly lagMs: number;
  /** The same of lists of messages. */
  readonly messageLagMs: number;
  readonly outages: readonly Outage[];
}

export interface Filling {
  readonly atMs: number;
  readonly won: number;
}

export interface ActPlan {
  readonly act: Act;
  readonly afterMs: number;
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

/** An hour of each machine's own where the way says so; in milliseconds. */
export const hourOf = ({ way, hourMs }: Scenario, at: number): number =>
  way.hasHours ? hourMs + at * 30 * 60_000 : hourMs;

export const scenarioOf = (seed: number, faults: Faults): Scenario => {
  const dice = diceFor(seed, "scenario");
  const listed = dice.pick(ways);
  const isOn = (id: string, chance: number) => diceFor(seed, id).chance(chance) && faults.isOn(id);
  const picked = isOn("retry", 0.04) ? diceFor(seed, "retries").pick(retries) : listed;
  const whole = (isOn("wide", 0.3) ? widened(picked) : undefined) ?? picked;
  const plot = plotOf(diceFor(seed, "plot"), whole);
  const way = (plot ? undefined : specialOf(whole, isOn)) ?? whole;
  const harmEndsMs = dice.span(10 * minuteMs, 30 * hourMs);
  const dropsFields = way.isRun && diceFor(seed, "fields").chance(0.1) && faults.isOn("fields");
  const tokenMs = plot ? plot.tokenMs : tokenMsOf(diceFor(seed, "token"), way, faults);
  const rows = way.isRun ? dice.between(1, 5) : countRecipients(diceFor(seed, "several"), way);
  const machines = ["A", "B", "C", "D", "E"].slice(0, countMachines(dice, way, plot));
  const isFirst = way.isRun && !way.acts && !way.isAgain && !way.isRetry;
  const isShort = shortOf(seed, way, faults);
  // What failed as a whole and was cancelled a person may still resend.
  const isAlone = machines.length === 1 && isFirst && !plot && !isShort;
  const messageLagMs = isOn("message lag", 0.08)
    ? diceFor(seed, "message lag ms").span(500, 30 * secondMs)
    : 0;
  return {
    ...{ seed, way, plot, harmEndsMs, dropsFields, tokenMs, rows, machines, messageLagMs },
    outages: outagesOf(diceFor(seed, "outages"), machines, harmEndsMs, faults).filter(
      ({ harm }) => messageLagMs === 0 || !isLimited(harm),
    ),
    purse: purseOf(diceFor(seed, "purse"), { way, plot, rows, harmEndsMs }, faults),
    planned: plannedOn(diceFor(seed, "plan file"), way, machines, faults),
    cacheMs: isOn("cache", 0.08) ? diceFor(seed, "cache ms").span(secondMs, 8 * minuteMs) : 0,
    turns: turnsOf(seed, way, faults),
    exportsBehind: (machine, launch) => {
      const own = diceFor(seed, "export", machine, launch);
      return machines.length === 1 && own.chance(0.1) && faults.isOn(`export ${machine} ${launch}`);
    },
    cutOf: cutsOf(seed, way, faults),
    isShort,
    shortHour: shortHourOf(diceFor(seed, "short hour"), way, plot, faults),
    blocked: blockedOf(diceFor(seed, "blocked"), { way, rows, harmEndsMs }, faults),
    lagMs: isOn("lag", 0.1) ? diceFor(seed, "lag ms").span(500, minuteMs) : 0,
    cancels: isAlone && diceFor(seed, "cancel").chance(0.15) && faults.isOn("cancel"),
    hourMs: Math.ceil(dice.span(30 * minuteMs, 30 * hourMs) / minuteMs) * minuteMs,
    harmedLaunches: dice.between(1, 4),
    pageRows: dice.chance(0.25) && faults.isOn("pages") ? dice.between(1, 3) : maxPage,
    harmFor: harmForOf(seed, { way, plot, dropsFields, messageLagMs }, faults),
    falseDate: (line) => {
      if (plot)
        return plot.falseDate && faults.isOn(`plot date ${line}`) ? plot.falseDate : undefined;
      return falseDateOf(diceFor(seed, "date", line), faults, `date ${line}`);
    },
    fateOf: (machine, launch) => {
      const id = `fate ${machine} ${launch}`;
      const cut = appendOf(seed, way, plot, machine, launch);
      if (cut) return faults.isOn(id) ? cut : undefined;
      if (!plot?.fateOf) return fateOf(diceFor(seed, "fate", machine, launch), way, faults, id);
      const fate = plot.fateOf(machine, launch);
      return fate && faults.isOn(id) ? fate : undefined;
    },
    diskFateOf: (machine, launch) => {
      if (plot?.restores) return "kept";
      if (appendOf(seed, way, plot, machine, launch))
        return faults.isOn(`disk ${machine} ${launch}`) ? "power cut" : "kept";
      if (plot?.damages && launch === 1)
        return faults.isOn(`disk ${machine} 1`) ? "damaged" : "kept";
      const isCloned = isPlain(way) && machines.length > 1 && diceFor(seed, "clones").chance(0.1);
      if (isCloned && diceFor(seed, "clone", machine, launch).chance(0.4))
        return faults.isOn(`disk ${machine} ${launch}`) ? "cloned" : "kept";
      const fate = diceFor(seed, "disk", machine, launch).pick(way.diskFates);
      return fate !== "kept" && faults.isOn(`disk ${machine} ${launch}`) ? fate : "kept";
    },
    roomOf: (machine, launch) => {
      const own = diceFor(seed, "room", machine, launch);
      const isFull = own.chance(0.08) && faults.isOn(`room ${machine} ${launch}`);
      return isFull ? own.span(64, 200_000) : undefined;
    },
    failsSyncOf: (machine, launch) => {
      const own = diceFor(seed, "sync", machine, launch);
      const isBad = own.chance(0.05) && faults.isOn(`sync ${machine} ${launch}`);
      return isBad ? own.between(1, 30) : undefined;
    },
    failsChangeOf: (machine, launch) => {
      const own = diceFor(seed, "change", machine, launch);
      const isBad = own.chance(0.05) && faults.isOn(`change ${machine} ${launch}`);
      return isBad ? own.between(1, 60) : undefined;
    },
    clockOf: (machine) => {
      const id = `clock ${machine}`;
      const planned = plot?.clockOf?.(machine);
      if (!planned && way.hasRightClocks) return rightClock;
      if (!planned) return clockOf(diceFor(seed, "clock", machine), faults, id);
      return planned.offsetMs === 0 || faults.isOn(id) ? planned : { ...planned, offsetMs: 0 };
    },
    acts: plot?.acts ?? [
      ...actsOf(diceFor(seed, "person"), way.acts, faults),
      ...actsOf(diceFor(seed, "resends"), isShort && ["resend"], faults, "resend"),
    ],
  };
};

const maxPage = 500;

/** One of several workers, with a canary or with a person, which exclude each other; undefined for none. */
const specialOf = (way: Way, isOn: (id: string, chance: number) => boolean): Way | undefined => {
  if (way.isRetry) return undefined;
  if (isOn("parts", 0.2)) return parted(way);
  if (isOn("canary", 0.15)) return withCanary(way);
  if (isOn("no tag", 0.1)) return untagged(way);
  const isScheduled = way.isLater && way.machines === "several";
  return isOn("person", isScheduled ? 0.7 : 0.2) ? withPerson(way, isOn("keyed", 0.7)) : undefined;
};

/** With one plan, machines have one run. */
const plannedOn = (
  dice: Dice,
  way: Way,
  machines: readonly string[],
  faults: Faults,
): readonly string[] => {
  const isPlanned = isPlain(way) && !way.acts && !way.command.includes("--once");
  if (!isPlanned || !dice.chance(0.2) || !faults.isOn("plan file")) return [];
  const share = dice.pick([0.5, 1]);
  return machines.filter(() => dice.chance(share));
};

/** Only the disk knows the rows by themselves; and by their place a person knows those of a call. */
const turnsOf = (seed: number, { diskFates, command }: Way, faults: Faults): Scenario["turns"] => {
  const isKnown = diskFates === ownDisk && command.includes("--group-size");
  if (!isKnown || !diceFor(seed, "turns").chance(0.3)) return undefined;
  return (machine, launch) =>
    diceFor(seed, "turn", machine, launch).chance(0.5) && faults.isOn(`turn ${machine} ${launch}`);
};

/** The same list may be sent with other flags elsewhere: its groups then hold other rows of it. */
const cutsOf = (seed: number, way: Way, faults: Faults): Scenario["cutOf"] => {
  const isCut = way.command.includes("--group-size") && diceFor(seed, "cuts").chance(0.2);
  return (machine) => {
    const dice = diceFor(seed, "cut", machine);
    const isOwn = isCut && dice.chance(0.6) && faults.isOn(`cut ${machine}`);
    return isOwn ? dice.pick(cuts) : undefined;
  };
};

const countRecipients = (dice: Dice, { isToSeveral }: Way): number =>
  isToSeveral && dice.chance(0.5) ? dice.between(2, 4) : 1;

/**
 * Nothing but its end keeps a copy of a request with a token from being performed: it comes before others stop
 * listing a group that was made 23 hours before. What a call without a group left in doubt no token settles.
 */
const tokenMsOf = (dice: Dice, { isRun, command }: Way, faults: Faults): number | undefined => {
  const isGroups = isRun && !command.includes("--direct");
  return isGroups && dice.chance(0.15) && faults.isOn("token")
    ? dice.span(minuteMs, 2 * hourMs)
    : undefined;
};

const countMachines = (dice: Dice, { machines }: Way, plot: Plot | undefined): number => {
  if (machines === "one") return 1;
  const least = machines === "one disk" || plot ? 2 : 1;
  return dice.chance(0.1) ? dice.between(4, 5) : dice.between(least, 3);
};

/** What a plot says of a request; else what chance says, of all requests or of those that it is aimed at. */
const harmForOf = (
  seed: number,
  {
    way,
    plot,
    dropsFields,
    messageLagMs,
  }: Pick<Scenario, "way" | "plot" | "dropsFields" | "messageLagMs">,
  faults: Faults,
): Scenario["harmFor"] => {
  const dice = diceFor(seed, "harm");
  const aim = dice.chance(0.6) ? aimOf(dice) : undefined;
  const shares = plot ? ([0, 0, 0.05, 0.15] as const) : ([0, 0.05, 0.15, 0.3] as const);
  const share = plot?.isAlone ? 0 : aim ? aim.share : dice.pick(shares);
  const [first, ...rest] = aim?.harms ?? kindsOfHarm.filter(() => dice.chance(0.6));
  return (line, passing, nth) => {
    const kind = kindOf(passing);
    const planned = plot?.harmFor?.(kind, nth);
    // Without fields nothing in the answer tells whose group it names: that world is left out.
    if (dropsFields && kind === "create" && planned?.is === "other") return undefined;
    if (planned && faults.isOn(`plot ${line} ${kind} ${nth}`)) return planned;
    if (aim && !isAimedAt(aim.kinds, kind)) return undefined;
    const { number } = passing;
    const own = diceFor(seed, "net", line, number);
    if (!first || !own.chance(share)) return undefined;
    const harm = harmOf(own.pick([first, ...rest]), own, passing);
    if (dropsFields && kind === "create" && harm?.is === "other") return undefined;
    // Nor whether a read was answered before a person changed what it shows.
    const isByHand = way.acts !== undefined && way.isLater;
    if (isByHand && kind === "readGroup" && harm?.is === "other") return undefined;
    // Whether a call that was asked to slow down was executed only a list shows.
    if (messageLagMs > 0 && kind === "call" && harm && isLimited(harm)) return undefined;
    return harm && faults.isOn(`net ${line} ${number}`) ? harm : undefined;
  };
};

const outagesOf = (
  dice: Dice,
  machines: readonly string[],
  endMs: number,
  faults: Faults,
): readonly Outage[] => {
  const [first, ...rest] = machines;
  if (first === undefined || !dice.chance(0.1)) return [];
  const planned = Array.from({ length: dice.between(1, 3) }, () =>
    outageOf(dice, [first, ...rest], endMs),
  );
  return planned.filter((_, at) => faults.isOn(`outage ${at}`));
};

const isAimedAt = (kinds: readonly Kind[], kind: Kind | undefined): boolean =>
  kind !== undefined && kinds.includes(kind);

const actsOf = (dice: Dice, acts: Way["acts"], faults: Faults, id = "act"): readonly ActPlan[] => {
  if (!acts) return [];
  const planned = Array.from({ length: dice.between(1, 4) }, () => ({
    act: dice.pick(acts),
    afterMs: dice.span(500, dice.chance(0.5) ? 2 * minuteMs : 3 * hourMs),
  }));
  return planned.filter((_, at) => faults.isOn(`${id} ${at}`));
};
