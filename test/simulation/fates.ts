/** What a machine meets by itself: a process that is killed or stands still, a clock and an answer's date that are wrong. */
import { type Dice, diceFor } from "./dice.ts";
import type { Effect, Fate } from "./machine.ts";
import type { Plot } from "./plots.ts";
import type { ClockPlan, FalseDate, Faults } from "./scenario.ts";
import type { Way } from "./ways.ts";

const secondMs = 1_000;
const minuteMs = 60 * secondMs;
const hourMs = 60 * minuteMs;

export const falseDateOf = (dice: Dice, faults: Faults, id: string): FalseDate | undefined => {
  if (!dice.chance(0.25) || !faults.isOn(id)) return undefined;
  const fromMs = dice.between(0, 2 * minuteMs);
  const sign = dice.pick([1, 1, -1]);
  const byMs = sign * dice.pick([20 * minuteMs, dice.span(minuteMs, 3 * 24 * hourMs)]);
  return { fromMs, toMs: fromMs + dice.span(minuteMs, 4 * hourMs), byMs };
};

const effects: readonly [Effect, ...Effect[]] = ["change", "request", "answer"];

const moments = ["call", "create", "add", "send", "schedule", "delete", "readGroup"] as const;

export const fateOf = (dice: Dice, way: Way, faults: Faults, id: string): Fate | undefined => {
  if (!dice.chance(0.6) || !faults.isOn(id)) return undefined;
  const on = dice.pick(effects);
  const pauseMs = dice.span(secondMs, dice.chance(0.3) ? 27 * hourMs : 40 * minuteMs);
  const is = dice.pick(way.fates);
  const isAimed = on !== "change" && dice.chance(0.4);
  if (isAimed) return { on, of: dice.pick(moments), at: dice.between(1, 3), is, pauseMs };
  return { on, at: dice.between(1, on === "change" ? 70 : 18), is, pauseMs };
};

/** The power is cut in the middle of a write to a journal: some of its records may be kept. */
export const appendOf = (
  seed: number,
  { diskFates, fates }: Way,
  plot: Plot | undefined,
  machine: string,
  launch: number,
): Fate | undefined => {
  if (plot || !diskFates.includes("power cut") || !fates.includes("kill")) return undefined;
  if (!diceFor(seed, "append fate").chance(0.15)) return undefined;
  const dice = diceFor(seed, "append", machine, launch);
  if (!dice.chance(0.7)) return undefined;
  return { on: "change", isAppend: true, at: dice.between(1, 9), is: "kill", pauseMs: 0 };
};

export const clockOf = (dice: Dice, faults: Faults, id: string): ClockPlan => {
  const offsetMs = dice.pick([1, -1]) * dice.span(1, dice.pick([3_000, 6 * minuteMs, 2 * hourMs]));
  const steps = Array.from({ length: dice.between(0, 2) }, () => ({
    atMs: dice.span(secondMs, 3 * hourMs),
    byMs: dice.pick([1, -1]) * dice.span(secondMs, dice.chance(0.3) ? 50 * hourMs : 10 * minuteMs),
  })).filter((_, at) => faults.isOn(`${id} ${at}`));
  const drift = (dice.roll() - 0.5) / 2_000;
  return faults.isOn(id) ? { offsetMs, drift, steps } : { offsetMs: 0, drift: 0, steps };
};
