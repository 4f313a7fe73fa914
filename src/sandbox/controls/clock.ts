/** Moves the two times of the sandbox. */

import { clockBounds, clockYears } from "../../contract/bounded.ts";
import { parseDuration } from "../../contract/durations.ts";
import type { Input, Reply } from "../../contract/endpoint.ts";
import type { Controls } from "../../contract/sandbox.ts";
import { readInstant } from "../checks/dates.ts";
import { Refusal } from "../service.ts";
import type { AdminContext } from "./admin-context.ts";
import { readChecked } from "./read-checked.ts";

type ClockReply = Reply<Controls["showClock"]>;

export const showClock = (_input: unknown, { clock, store }: AdminContext): ClockReply => {
  const { business, signing } = clock.read();
  return {
    business: business.toISOString(),
    signing: signing.toISOString(),
    clockOffsetMs: store.settings.get("clockOffsetMs"),
    signingSkewMs: store.settings.get("signingSkewMs"),
  };
};

/** Sets, then advances, then skews: whichever the body names. */
export const moveClock = (
  { body }: Input<Controls["moveClock"]>,
  context: AdminContext,
): ClockReply => {
  const { clock } = context;
  if (body.set !== undefined) clock.set(readChecked(readInstant, body.set));
  if (body.advance !== undefined) clock.advance(readChecked(parseDuration, body.advance));
  if (body.skew !== undefined) clock.skew(readChecked(parseDuration, body.skew));
  const { business, signing } = clock.read();
  if (isUsable(business) && isUsable(signing)) return showClock({}, context);
  throw new Refusal(400, "ValidationError", `The clock must stay ${clockBounds}.`);
};

const isUsable = (time: Date): boolean =>
  time.getUTCFullYear() >= clockYears.first && time.getUTCFullYear() <= clockYears.last;
