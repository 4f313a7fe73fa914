/** Months as the service counts them: in UTC+9, the 31st becoming the last day of a shorter month. */
import { monthStart, seoulOffsetMs } from "../../contract/time.ts";

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

/** How many months records are shown. */
const retentionMonths = 6;

const dayMs = 86_400_000;

/** Whether a record of that time is still shown. */
export const isRetained = (created: number, now: Date): boolean =>
  monthsAfter(created, retentionMonths) >= now.getTime();

/** Spans of time, both ends included, whose records are gone: what is older, and days that end with a shorter month. */
export const expiredSpans = (now: Date): (readonly [number, number])[] => {
  const at = now.getTime();
  const last = monthsAfter(at, -retentionMonths);
  // The 31st of August comes after everything that six months made the 28th of one.
  if (monthsAfter(last, retentionMonths) < at) return [[0, monthStart(monthsAfter(last, 1)) - 1]];
  const spans: [number, number][] = [[0, last - 1]];
  const timeOfDay = (at + seoulOffsetMs) % dayMs;
  for (let day = last + dayMs; monthsAfter(day, retentionMonths) === at; day += dayMs) {
    if (timeOfDay > 0) spans.push([day - timeOfDay, day - 1]);
  }
  return spans;
};
