/** When a group may be sent later. */
import { readInstant } from "../checks/dates.ts";
import { Refusal, validationError } from "../service.ts";
import type { GroupRow } from "../store/groups.ts";
import type { Store } from "../store/store.ts";
import { monthsAfter } from "./calendar.ts";
import { countOf, logged } from "./groups.ts";

/** How far ahead a schedule may lie. */
const horizonMonths = 6;

/** Milliseconds since 1970. Throws Refusal for a text that is no time. */
export const readSchedule = (text: string): number => {
  const instant = readInstant(text);
  if (instant !== undefined) return instant.getTime();
  throw validationError(`'scheduledDate' must be an ISO 8601 time, not '${text}'.`);
};

export const isBeyondHorizon = (scheduled: number, now: Date): boolean =>
  scheduled > monthsAfter(now.getTime(), horizonMonths);

/** `keep`: what the handler wrote before it refused stays. */
export const beyondHorizon = (keep = false): Refusal =>
  new Refusal(
    400,
    "InvalidScheduledDate",
    `'scheduledDate' must lie within ${horizonMonths} months.`,
    { keep },
  );

/** The group as it waits for its hour; time will send it. The caller stores it. */
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
