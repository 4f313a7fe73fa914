/** Months as the service counts them: in UTC+9, the 31st becoming the last day of a shorter month. */
import { seoulOffsetMs } from "../../contract/time.ts";

/** The same time of day so many months later; earlier when negative. */
export const monthsAfter = (ms: number, months: number): number => {
  const from = new Date(ms + seoulOffsetMs);
  const target = new Date(from);
  target.setUTCDate(1);
  target.setUTCMonth(target.getUTCMonth() + months);
  const lastDay = new Date(target);
  lastDay.setUTCMonth(lastDay.getUTCMonth() + 1, 0);
  target.setUTCDate(Math.min(from.getUTCDate(), lastDay.getUTCDate()));
  return target.getTime() - seoulOffsetMs;
};

/** The first instant of the month in which `ms` lies. */
export const monthStart = (ms: number): number => {
  const day = new Date(ms + seoulOffsetMs);
  return Date.UTC(day.getUTCFullYear(), day.getUTCMonth()) - seoulOffsetMs;
};

/** How many months records are shown. */
const retentionMonths = 6;

/** Milliseconds since 1970 of the oldest record that is still shown. */
export const oldestShown = (now: Date): number => monthsAfter(now.getTime(), -retentionMonths);
