/** A run whose files are damaged: it may have sent, so it is never said that it did not. */

import { MsgError } from "../../errors.ts";
import { t } from "../../locale/locale.ts";

interface Damage {
  readonly what: string;
  readonly where: string;
  readonly code: "JournalDamaged" | "RunNotReadable";
  readonly cause?: unknown;
}

export const damagedRunError = (run: string, { what, where, code, cause }: Damage): MsgError =>
  new MsgError("unknown", t`${what}: it is not known what of run ${run} was sent`, {
    code,
    where,
    todo: t`do not send its rows again; ${rebuildHint(run)}`,
    outcome: "unknown",
    cause,
  });

export const rebuildHint = (run: string): string =>
  t`msg run reconcile ${run} rebuilds it from the service, and sends nothing`;

/** Whether an error says that the files of a run are damaged. */
export const isDamage = (error: unknown): error is MsgError =>
  error instanceof MsgError && error.kind === "unknown" && damages.has(error.code);

const damages: ReadonlySet<string> = new Set(["JournalDamaged", "RunNotReadable"]);
