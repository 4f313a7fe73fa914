/** Schedules a group, and says how far ahead. */
import { monthsAfter } from "../../contract/time.ts";
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
