/** What stops a run, or a key, that was begun before: of what was sent, or may have been, it says nothing. */

import { MsgError } from "../../errors.ts";
import { joinSentences, t } from "../../locale/locale.ts";
import { formatMessageCount } from "../../message/price.ts";
import { stoppedUnknownError } from "../report/ending.ts";
import type { RunFile } from "../store/run-file.ts";
import type { Summary } from "../store/summary.ts";

/** Of rows that were sent, or are in doubt, no error may say that they were not. */
export const resumedStopError = (
  error: unknown,
  { run }: RunFile,
  { accepted, unknown }: Summary,
): unknown => {
  if (!(error instanceof MsgError) || accepted + unknown === 0) return error;
  const { kind, code, where, message } = error;
  const todo = error.todoWith({ nothing: t`nothing more was sent` });
  if (unknown === 0)
    return new MsgError(kind, message, { code, where, todo, outcome: "partial", cause: error });
  return stoppedUnknownError(error, {
    what: t`${formatMessageCount(unknown)} remain unclear`,
    where,
    todo: joinSentences([todo, howToLook(run)].filter((it) => it !== undefined)),
  });
};

/** The same of the one message of a key. */
export const keyStopError = (error: MsgError, key: string): MsgError =>
  stoppedUnknownError(error, {
    what: t`the outcome of an earlier send of --once ${key} is unclear, and it cannot continue now`,
    where: `--once ${key}`,
    todo: howToLook(key),
  });

const howToLook = (named: string): string =>
  t`msg run reconcile ${named} checks what became of it, and sends nothing`;
