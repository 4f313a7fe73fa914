/** The flags of every command that calls an endpoint behind a second factor. */

import type { Caller } from "../../contract/endpoint.ts";
import { choice, duration, id, text } from "../../contract/fields.ts";

export const secondFactorFlags = {
  otpBy: choice(["voice", "email"], "have a one-time code sent by voice call or e-mail"),
  otpTransaction: id("the transaction that a code was sent for"),
  otp: text("the one-time code; - reads it from standard input, @file from a file"),
};

/** With how long its doubt is settled: what a line that finishes a call later repeats. */
export const protectedFlags = {
  ...secondFactorFlags,
  settle: duration("how long a call without an answer is settled, 30s when left out"),
};

export const needsSecondFactor = ({ endpoint, additionalEndpoints: also }: Caller): boolean =>
  [endpoint, ...also].some((it) => it?.secondFactor === true);
