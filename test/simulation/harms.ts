/** What may become of one request on its line, and which requests it is aimed at. */
import type { Passing } from "../faults/line.ts";
import { isOf, type Kind, strangers } from "../faults/strangers.ts";
import type { Dice } from "./dice.ts";

const secondMs = 1_000;
const minuteMs = 60 * secondMs;
const hourMs = 60 * minuteMs;

/** What becomes of one request. */
export type Harm =
  /** No connection comes about. */
  | { readonly is: "unconnected" }
  /** The client hears of a broken line at once, or of nothing until its time is over. */
  | { readonly is: "lost"; readonly arrives: boolean; readonly isSilent: boolean }
  /** The client hears of a broken line; the request arrives later. */
  | { readonly is: "late"; readonly afterMs: number }
  /** A copy arrives later; the client hears what the first one or the second one was answered. */
  | { readonly is: "doubled"; readonly afterMs: number; readonly hears: "first" | "second" }
  /** The answer is cut in its middle. */
  | { readonly is: "cut" }
  /** Something else answers in the service's place. */
  | { readonly is: "stranger"; readonly arrives: boolean; readonly turn: number }
  /** The answer to an earlier request of the same kind. */
  | { readonly is: "other"; readonly arrives: boolean };

const kinds: readonly Kind[] = [
  ...(["call", "create", "add", "send", "schedule", "unschedule", "delete"] as const),
  ...(["readGroup", "read"] as const),
];

export const kindOf = (passing: Passing): Kind | undefined => kinds.find((it) => isOf(it, passing));

export const kindsOfHarm = [
  "unconnected",
  "lost",
  "silent",
  "late",
  "doubled",
  "cut",
  "stranger",
  "other",
] as const;

export const harmOf = (
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
      return { is, arrives, turn: dice.chance(0.2) ? limitedTurn : dice.between(0, 59) };
    case "other":
      return { is, arrives };
  }
};

/** The one that asks to slow down, behind a request that was executed. */
const limitedTurn = 14;

export const isLimited = (harm: Harm): boolean =>
  harm.is === "stranger" && harm.turn % strangers(harm.turn).length === limitedTurn;

/** Often about as long as the service remembers a signature. */
export const lateness = (dice: Dice): number =>
  dice.chance(0.5)
    ? dice.between(13 * minuteMs, 21 * minuteMs)
    : dice.span(50, dice.chance(0.2) ? 26 * hourMs : 12 * minuteMs);

/** Requests that harm is aimed at, and how much of it; all of them when left out. */
export interface Aim {
  readonly kinds: readonly Kind[];
  readonly share: number;
  readonly harms: readonly (typeof kindsOfHarm)[number][];
}

/** What something is at stake behind, more often than the rest. */
const targets: readonly [readonly Kind[], ...(readonly Kind[])[]] = [
  ["send", "schedule", "call"],
  ["send", "schedule", "call", "readGroup"],
  ["delete", "unschedule", "call"],
  ["delete", "send", "schedule", "call"],
  ["add", "call"],
  ["create", "add", "send", "schedule", "call"],
];

export const aimOf = (dice: Dice): Aim => {
  const kinds = dice.pick(targets);
  const all = kindsOfHarm.filter(() => dice.chance(0.35));
  return { kinds, harms: all, share: dice.pick([0.2, 0.4, 0.7]) };
};

/** For a while one thing becomes of every request: of one machine's, or of all where `line` is undefined. */
export interface Outage {
  readonly fromMs: number;
  readonly toMs: number;
  readonly line: string | undefined;
  readonly harm: Harm;
}

export const outageOf = (
  dice: Dice,
  machines: readonly [string, ...string[]],
  endMs: number,
): Outage => {
  const fromMs = dice.span(secondMs, dice.chance(0.5) ? minuteMs : endMs);
  const lastsMs = dice.span(secondMs, dice.chance(0.5) ? minuteMs : 3 * hourMs);
  const arrives = dice.chance(0.5);
  return {
    ...{ fromMs, toMs: fromMs + lastsMs },
    line: dice.chance(0.5) ? dice.pick(machines) : undefined,
    harm: dice.pick<Harm>([
      { is: "unconnected" },
      { is: "lost", arrives, isSilent: dice.chance(0.5) },
      { is: "stranger", arrives, turn: dice.between(0, 59) },
      { is: "cut" },
    ]),
  };
};
