/** When a message may go out later. */

import { seoulOffsetMs } from "../contract/time.ts";
import type { Problem } from "../errors.ts";
import { shownTime, t } from "../locale/locale.ts";

const maxMonthsAhead = 6;

/** The last instant that the service takes; the 31st becomes the last day of a shorter month. */
const latest = (now: Date): number => {
  const from = new Date(now.getTime() + seoulOffsetMs);
  const target = new Date(from);
  target.setUTCMonth(target.getUTCMonth() + maxMonthsAhead);
  // Rolled over into the month behind: back to the last day of the one that was meant.
  if (target.getUTCDate() !== from.getUTCDate()) target.setUTCDate(0);
  return target.getTime() - seoulOffsetMs;
};

/** What is wrong with an instant to send at, by the service's time. */
export const scheduleProblem = (at: string, now: Date): Problem | undefined => {
  const instant = Date.parse(at);
  if (instant <= now.getTime())
    return { code: "SchedulePast", text: t`${shownTime(at)} is in the past` };
  if (instant <= latest(now)) return undefined;
  return {
    code: "ScheduleTooFar",
    text: t`${shownTime(at)} is more than ${maxMonthsAhead} months ahead`,
  };
};
