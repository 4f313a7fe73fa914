/** How long records are shown. */
import { dayMs, monthStart, monthsAfter, seoulOffsetMs } from "../../contract/time.ts";

const retentionMonths = 6;

export const isRetained = (created: number, now: number): boolean =>
  monthsAfter(created, retentionMonths) >= now;

/** Spans of time, both ends included, whose records have expired: older ones, and days that a shorter month ends. */
export const expiredSpans = (now: number): (readonly [number, number])[] => {
  const last = monthsAfter(now, -retentionMonths);
  // The 31st of August comes after everything that six months made the 28th of one.
  if (monthsAfter(last, retentionMonths) < now) return [[0, monthStart(monthsAfter(last, 1)) - 1]];
  const spans: [number, number][] = [[0, last - 1]];
  const timeOfDay = (now + seoulOffsetMs) % dayMs;
  for (let day = last + dayMs; monthsAfter(day, retentionMonths) === now; day += dayMs) {
    if (timeOfDay > 0) spans.push([day - timeOfDay, day - 1]);
  }
  return spans;
};
