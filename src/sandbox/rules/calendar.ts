/** How long records are shown, and how far ahead a group may be scheduled. */
import { dayMs, monthStart, monthsAfter, seoulOffsetMs } from "../../contract/time.ts";
import { Refusal } from "../service.ts";
import type { GroupRow } from "../store/groups.ts";
import type { Store } from "../store/store.ts";
import { countOf, logged } from "./groups.ts";

const horizonMonths = 6;

export const isBeyondHorizon = (scheduled: number, now: number): boolean =>
  scheduled > monthsAfter(now, horizonMonths);

export const beyondHorizon = `'scheduledDate' must lie within ${horizonMonths} months.`;

/** `keep`: what the handler wrote before it refused stays. */
export const invalidSchedule = (message: string, keep = false): Refusal =>
  new Refusal(400, "InvalidScheduledDate", message, { keep });

/** The group, scheduled; due work will send it. The caller stores it. */
export const schedule = (
  store: Store,
  group: GroupRow,
  scheduled: number,
  at: number,
): GroupRow => {
  store.scheduledJobs.add("send", scheduled, group.seq);
  const waiting: GroupRow = { ...group, status: "SCHEDULED", scheduled };
  return logged(waiting, at, "schedule accepted", { messageCount: countOf(waiting) });
};

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
