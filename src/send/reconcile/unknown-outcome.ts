/** A request whose outcome is unknown: what a person reads of it, in the same words everywhere. */

import { MsgError } from "../../errors.ts";
import { shownTime, t } from "../../locale/locale.ts";
import type { Signature } from "../protocol/entries.ts";
import { decidableFrom } from "../run/clocks.ts";

export interface UnknownOutcome {
  /** What the request was to do. */
  readonly deed: "sent" | "done";
  /** What shows whether it was executed: "look before you run it again: msg message list". */
  readonly check: string;
  /** The date that it was signed with, where its absence proves something once that has expired. */
  readonly signed: string | undefined;
  /** Why its absence proves nothing, where that is not all that is known. */
  readonly because?: string | undefined;
}

/** How an operator finds out what became of it, and from when on its absence is a proof. */
export const howToLook = ({ deed, check, signed, because }: UnknownOutcome): string => {
  if (signed !== undefined)
    return deed === "sent"
      ? t`${check}; if it is not there after ${shownTime(decidableFrom(signed))}, it was not sent`
      : t`${check}; if it is not there after ${shownTime(decidableFrom(signed))}, it was not done`;
  const reason = because === undefined ? "" : t`${because}: `;
  return deed === "sent"
    ? t`${check}; ${reason}nothing proves that it was not sent`
    : t`${check}; ${reason}nothing proves that it was not done`;
};

/** A send: its absence proves something where it carries a correlation id, and a signature that expires. */
export const unknownSend = (
  check: string,
  tagged: boolean,
  signature?: Signature,
): UnknownOutcome => ({
  deed: "sent",
  check,
  signed: tagged && signature?.key !== undefined ? signature.date : undefined,
  because: tagged ? t`a token carries no signature` : t`without a correlation id`,
});

/** The error of a request that stays unknown; `isStopped`: the operator did not wait for the end. */
export const unknownOutcomeError = (
  error: MsgError,
  outcome: UnknownOutcome,
  isStopped: boolean,
): MsgError =>
  new MsgError(isStopped ? "interrupted" : "unknown", error.message, {
    code: isStopped ? "Interrupted" : error.code,
    where: error.where,
    todo: howToLook({ ...outcome, check: error.todo ?? outcome.check }),
    outcome: "unknown",
    http: error.http,
    api: error.api,
    cause: error,
  });
