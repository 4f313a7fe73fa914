/** A schedule is made on time or not at all: the service sends at once what lies in the past. */
import { MsgError } from "../../errors.ts";

/** The code of the error that keeps a schedule from leaving. */
export const hourPassed = "HourPassed";

/** What a request may take to its execution, and what the clocks' whole seconds hide. */
const marginMs = 5_000;

/**
 * Asked right before each attempt leaves, repeats included. Throws MsgError where the hour has passed,
 * or is so near that the request may arrive behind it. `time` is the latest that the service's may be.
 */
export const assertOnTime = (at: string | undefined, time: () => number): void => {
  if (at === undefined || Date.parse(at) - marginMs > time()) return;
  throw new MsgError(
    "usage",
    `the hour ${at} has passed, or is too near to schedule anything more`,
    {
      code: hourPassed,
      outcome: "not_sent",
      todo: "nothing was sent; name a later time with --at",
    },
  );
};
