/** Moves the two times of the sandbox. */
import type { Input, Reply } from "../../contract/endpoint.ts";
import type { Controls } from "../../contract/sandbox.ts";
import { readInstant } from "../checks/dates.ts";
import { readDuration } from "../checks/durations.ts";
import { Refusal } from "../service.ts";
import type { Bench } from "./bench.ts";

type ClockReply = Reply<Controls["showClock"]>;

/** Business time stays within these years: ids and dates are written with four digits. */
const years = { from: Date.UTC(2000, 0), until: Date.UTC(9999, 0) };

export const showClock = (_input: unknown, { clock, store }: Bench): ClockReply => {
  const { business, signing } = clock.read();
  return {
    business: business.toISOString(),
    signing: signing.toISOString(),
    clockOffsetMs: store.settings.get("clockOffsetMs"),
    signingSkewMs: store.settings.get("signingSkewMs"),
  };
};

/** Sets, then advances, then skews: whichever the body names. */
export const moveClock = ({ body }: Input<Controls["moveClock"]>, bench: Bench): ClockReply => {
  const { clock } = bench;
  if (body.set !== undefined) clock.set(instantOf("set", body.set));
  if (body.advance !== undefined) clock.advance(durationOf("advance", body.advance));
  if (body.skew !== undefined) clock.skew(durationOf("skew", body.skew));
  const { business, signing } = clock.read();
  if (isUsable(business) && isUsable(signing)) return showClock({}, bench);
  throw new Refusal(400, "ValidationError", "The clock must stay between the years 2000 and 9998.");
};

const isUsable = (time: Date): boolean =>
  time.getTime() >= years.from && time.getTime() < years.until;

const instantOf = (name: string, text: string): Date => {
  const instant = readInstant(text);
  if (instant !== undefined) return instant;
  throw new Refusal(400, "ValidationError", `'${name}' must be an ISO 8601 time, not '${text}'.`);
};

/** Milliseconds of a body member. Throws Refusal 400. */
export const durationOf = (name: string, text: string): number => {
  const ms = readDuration(text);
  if (ms !== undefined) return ms;
  throw new Refusal(
    400,
    "ValidationError",
    `'${name}' must be a duration such as 250ms, 10s, 5m, 2h or 1d, not '${text}'.`,
  );
};
