/** How long records are shown (specification, conventions). */
import { monthsAfter } from "./calendar.ts";

const retentionMonths = 6;

/** Milliseconds since 1970 of the oldest record that is still shown. */
export const oldestShown = (now: Date): number => monthsAfter(now.getTime(), -retentionMonths);
