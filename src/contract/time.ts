/** Stretches of time as people write them (`10s`, `250ms`, `2h`, `-5m`, `1d`), and the clock of the service. */

const unitMs = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;
const shape = /^([+-]?\d+(?:\.\d+)?)(ms|s|m|h|d)$/;

/** What may be written, for the words of an error. */
export const durationForms = "250ms, 10s, 5m, 2h, 1d";

/** Milliseconds, rounded; undefined when it is no such text. `0` needs no unit. */
export const parseDuration = (text: string): number | undefined => {
  if (text === "0") return 0;
  const match = shape.exec(text);
  const unit = match?.[2];
  if (unit !== "ms" && unit !== "s" && unit !== "m" && unit !== "h" && unit !== "d")
    return undefined;
  return Math.round(Number(match?.[1]) * unitMs[unit]);
};

/** The service's clock: UTC+9 the year round. */
export const seoulOffsetMs = 9 * 3_600_000;

/** The hour of the day in Korea. */
export const hourInSeoul = (instant: Date): number =>
  new Date(instant.getTime() + seoulOffsetMs).getUTCHours();

/** The first instant of the month there in which `ms` lies. */
export const monthStart = (ms: number): number => {
  const day = new Date(ms + seoulOffsetMs);
  return Date.UTC(day.getUTCFullYear(), day.getUTCMonth()) - seoulOffsetMs;
};

/** The day there, as statistics write it: `2026/01/15`. */
export const dayInSeoul = (instant: Date): string =>
  new Date(instant.getTime() + seoulOffsetMs).toISOString().slice(0, 10).replaceAll("-", "/");

/** When a month (1 to 12) ends there, in milliseconds: a card is good until then. */
export const endOfMonth = (year: number, month: number): number =>
  Date.UTC(year, month) - seoulOffsetMs;
