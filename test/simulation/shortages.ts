/** What the service refuses for a while: money or quota does not suffice, or recipients are blocked. */
import { type Dice, diceFor } from "./dice.ts";
import type { Plot } from "./plots.ts";
import type { Faults, Filling, Scenario } from "./scenario.ts";
import type { Way } from "./ways.ts";

const secondMs = 1_000;
const hourMs = 60 * 60 * secondMs;

/** Too little for a while. What is refused for that one row at a time is nobody's false claim: calls are left out. */
export const purseOf = (
  dice: Dice,
  { way, plot, rows, harmEndsMs }: Pick<Scenario, "way" | "plot" | "rows" | "harmEndsMs">,
  faults: Faults,
): readonly Filling[] | undefined => {
  const isRun = way.isRun && !way.isRetry && !way.command.includes("--direct") && !plot?.restores;
  if (!isRun || !dice.chance(0.1) || !faults.isOn("purse")) return undefined;
  const filling = (atMs: number): Filling => ({ atMs, won: dice.between(0, rows * 25) });
  const later = Array.from({ length: dice.between(0, 3) }, () =>
    filling(dice.span(secondMs, hourMs)),
  );
  const enough = { atMs: harmEndsMs, won: 100_000 };
  return [filling(0), ...later.filter(({ atMs }) => atMs < harmEndsMs), enough];
};

/** Rows that are refused one by one, and taken later. */
export const blockedOf = (
  dice: Dice,
  { way, rows, harmEndsMs }: Pick<Scenario, "way" | "rows" | "harmEndsMs">,
  faults: Faults,
): Scenario["blocked"] => {
  if (!isOfGroups(way) || !dice.chance(0.12)) return undefined;
  const some = Array.from({ length: rows }, (_, at) => at).filter(
    (at) => dice.chance(0.4) && faults.isOn(`blocked ${at}`),
  );
  return { rows: some, untilMs: dice.span(secondMs, harmEndsMs) };
};

/** What can be retried there is retried. */
const isOfGroups = ({ isRun, isLater, isAgain, command }: Way): boolean =>
  isRun && !isLater && !isAgain && !command.includes("--direct");

/** A group that is sent without quota fails as a whole: it may be resent by hand, and its rows by a retry. */
export const shortOf = (seed: number, way: Way, faults: Faults): Scenario["isShort"] => {
  if (!isOfGroups(way) || !diceFor(seed, "short quota").chance(0.12)) return undefined;
  return (send) => diceFor(seed, "short", send).chance(0.3) && faults.isOn(`short ${send}`);
};

/** A scheduled group that finds no quota at its hour fails as a whole, too. */
export const shortHourOf = (
  dice: Dice,
  way: Way,
  plot: Plot | undefined,
  faults: Faults,
): Scenario["shortHour"] => {
  const isPossible = way.isLater && !way.hasHours && !way.acts && !plot;
  if (!isPossible || !dice.chance(0.15) || !faults.isOn("short hour")) return undefined;
  return { beforeMs: dice.span(1, hourMs), afterMs: dice.span(secondMs, 3 * hourMs) };
};
