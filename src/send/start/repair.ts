/** Repairs the files of a run from each other and from the service: damaged ones, and a journal that is out of date. Sends nothing. */

import { MsgError } from "../../errors.ts";
import { t } from "../../locale/locale.ts";
import { formatFigure } from "../../message/price.ts";
import type { Ports } from "../../ports.ts";
import { assertOwnRun, runOwnerOf } from "../guards/own-run.ts";
import { isOlderThanService } from "../reconcile/older-journal.ts";
import { backUpDamaged, rebuild } from "../reconcile/rebuild.ts";
import { stoppedUnknownError } from "../report/ending.ts";
import { isDamage } from "../store/journal.ts";
import { recoveredFile } from "../store/recovered-file.ts";
import type { RunFile } from "../store/run-file.ts";
import { findRunId, type RunStore, readRun, storeOf, writeRunFile } from "../store/run-folder.ts";
import { withRunLock } from "../store/run-lock.ts";
import { readState, shownSummary, summarize } from "../store/summary.ts";
import { resumedStopError } from "./begin.ts";

/**
 * The named run, with its files repaired; a dry run leaves them damaged. Throws MsgError if they cannot be
 * repaired now, or at all.
 */
export const repairRun = async (
  ctx: Ports,
  named: string,
): Promise<{ readonly run: RunFile; readonly isDamaged: boolean }> => {
  const store = storeOf(ctx);
  const id = findRunId(store, named, await runOwnerOf(ctx));
  const file = fileOfRun(store, id);
  const { run } = file;
  await assertOwnRun(ctx, run);
  const isDamaged = file.isRecovered || isJournalDamaged(store, run);
  if (!isDamaged) return { run, isDamaged };
  if (ctx.consent.dryRun) {
    await ctx.note(
      t`it would be rebuilt from the service: groups that were not sent are deleted there`,
    );
    return { run, isDamaged };
  }
  await withRunLock(store, id, async () => {
    if (file.isRecovered) await rewriteRunFile(ctx, run);
    // Another process may have rebuilt it meanwhile.
    if (isJournalDamaged(store, run)) await rebuildJournal(ctx, run);
  });
  return { run, isDamaged: false };
};

const fileOfRun = (store: RunStore, id: string): { run: RunFile; isRecovered: boolean } => {
  try {
    return { run: readRun(store, id), isRecovered: false };
  } catch (error) {
    if (!(error instanceof MsgError) || error.code !== "RunNotReadable") throw error;
    const run = recoveredFile(store, id);
    if (run) return { run, isRecovered: true };
    throw isDamage(error) ? cannotRebuildError(error, id) : error;
  }
};

/** The error of a run whose options and rows are both lost: only a person can say who still needs a message. */
const cannotRebuildError = ({ message, where, cause }: MsgError, id: string): MsgError =>
  new MsgError("unknown", message, {
    code: "CannotRebuild",
    where,
    todo: t`it cannot be rebuilt: neither the journal nor the plan holds what run.json said; restore the folder from a copy, or send the rest as a new run: msg group list --all --json shows the groups with msg.run ${id} in their customFields, msg message list --group-id <id> --all what they sent`,
    cause,
  });

const isJournalDamaged = (store: RunStore, run: RunFile): boolean =>
  shownSummary(store, run).state === "damaged";

const rewriteRunFile = async (ctx: Ports, run: RunFile): Promise<void> => {
  const store = storeOf(ctx);
  const kept = backUpDamaged(store, run.run, "run.json");
  writeRunFile(store, run);
  await noteRepair(ctx, t`run.json was rewritten from the journal and the plan`, kept);
};

const rebuildJournal = async (ctx: Ports, run: RunFile): Promise<void> => {
  const { kept, accepted, refused, notSent } = await rebuilt(ctx, run, {
    isResumed: false,
    what: t`the journal of run ${run.run} is damaged, and could not be rebuilt`,
    todo: t`nothing was sent now; try again: msg run reconcile ${run.run}`,
  });
  const what = t`the journal was rebuilt from the service: ${accepted} accepted, ${refused} refused, ${notSent} not sent`;
  await noteRepair(ctx, what, kept);
};

/** `kept`: the name that the old file has now, if there was one. */
const noteRepair = (ctx: Ports, what: string, kept: string | undefined): Promise<void> =>
  ctx.note(kept === undefined ? what : t`${what}; the old one is kept as ${kept}`);

interface Rebuilding {
  readonly isResumed: boolean;
  /** What is said if the service could not be asked. */
  readonly what: string;
  readonly todo: string;
}

/**
 * The name that the old journal has now, and what the new one counts. An error that itself says what is unknown is
 * shown as it is.
 */
const rebuilt = async (ctx: Ports, run: RunFile, { isResumed, ...failed }: Rebuilding) => {
  const kept = await rebuild(ctx, run, { isResumed }).catch((error: unknown) => {
    if (!(error instanceof MsgError) || error.outcome === "unknown") throw error;
    throw stoppedUnknownError(error, { ...failed, where: error.where });
  });
  const { accepted, refused, notSent } = summarize(run, readState(storeOf(ctx), run));
  const figures = { accepted: formatFigure(accepted), refused: formatFigure(refused) };
  return { kept, ...figures, notSent: formatFigure(notSent) };
};

/**
 * Brings the journal up to date before the first request that creates or sends, for the one process that
 * holds the run's lock. If nothing is newer, it costs a read or two; for a run of calls, two for each call that
 * may be under way at once. Throws MsgError: without an answer nothing is sent.
 */
export const catchUp = async (ctx: Ports, run: RunFile): Promise<void> => {
  const state = readState(storeOf(ctx), run);
  if (state?.ended || !run.tagged) return;
  const isOlder = await isOlderThanService(ctx, run, state).catch((error: unknown) => {
    throw resumedStopError(error, run, summarize(run, state));
  });
  if (!isOlder) return;
  const { kept, accepted, notSent } = await rebuilt(ctx, run, {
    isResumed: true,
    what: t`the journal of run ${run.run} is older than what the service holds, and could not be rebuilt`,
    todo: t`nothing more was sent; try again: msg send-many --resume ${run.run}`,
  });
  const what = t`the journal of run ${run.run} was older than what the service holds (restored from a copy?), and was rebuilt: ${accepted} accepted, ${notSent} not sent`;
  await noteRepair(ctx, what, kept);
};
