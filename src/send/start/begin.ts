/** Begins a planned run, or opens one to resume it, unless its rows are in another one. */

import { MsgError, usageError } from "../../errors.ts";
import { joinSentences, shownTime, t } from "../../locale/locale.ts";
import { formatMessageCount } from "../../message/price.ts";
import type { Ports } from "../../ports.ts";
import type { Entry } from "../protocol/entries.ts";
import type { State, Taken } from "../protocol/state.ts";
import { stoppedUnknownError } from "../report/ending.ts";
import { createJournal, type Journal, openJournal } from "../store/journal.ts";
import { journalCopy, type RunFile, runFileVersion, sendCommand } from "../store/run-file.ts";
import { fileOf, isBegun, type RunStore, writeRunFile } from "../store/run-folder.ts";
import { withStartLock } from "../store/run-lock.ts";
import { findSameRuns, findSentAfter } from "../store/same-rows.ts";
import { readState, type Summary, shownSummary } from "../store/summary.ts";
import { removeRun } from "./run-removal.ts";

export interface Beginning {
  /** Send although the same rows were sent a short while ago. */
  readonly again: boolean;
  /** The run was made by this command: where its rows turn out to be in another one, it is not kept. */
  readonly isNew?: boolean;
}

/** Opens the journal of a run that was begun. */
export const resumeJournal = (
  ctx: Ports,
  store: RunStore,
  run: RunFile,
  { again }: Beginning,
): Journal => {
  if (!again && !isNamed(run)) refuseSentSince(ctx, store, run);
  return openJournal(store.files, fileOf(store, run.run, "journal.log"));
};

/** Throws MsgError (stopped) for a run of a plan that was begun: it may have been sent. */
export const assertPlanNotBegun =
  ({ run, plan }: RunFile) =>
  (begun: State | boolean | undefined): void => {
    if (!begun) return;
    throw new MsgError("stopped", t`this plan was already sent, as run ${run}`, {
      code: "PlanSent",
      where: plan?.file,
      todo: t`nothing was sent now; msg run show ${run} shows what became of it and how to continue`,
    });
  };

/** Whether its plan still holds is asked where it is named. */
export const planNotBegun = (run: RunFile): MsgError =>
  usageError(t`run ${run.run} of the plan '${run.plan?.file ?? ""}' was not started`, {
    code: "InvalidValue",
    todo: t`nothing was sent; ${sendCommand(run)} checks whether the plan is still valid, and sends it`,
  });

/** Marks a run as begun, unless the same rows are being sent or were: what was cancelled was not. */
export const beginJournal = (
  ctx: Ports,
  store: RunStore,
  run: RunFile,
  { again, isNew }: Beginning,
): Promise<Journal> =>
  withStartLock(store, () => {
    if (!again && !isNamed(run)) refuseSame(ctx, store, run, isNew);
    const path = fileOf(store, run.run, "journal.log");
    if (store.files.lstat(path)) return started(openJournal(store.files, path));
    // A msg that made journals only now has planned it: without one it would count as damaged from here on.
    const journal = started(createJournal(store.files, path, run.run, journalCopy(run)));
    writeRunFile(store, { ...run, version: runFileVersion });
    return journal;
  });

const started = (journal: Journal): Journal => {
  const start: Entry = { t: "START" };
  journal.append([start]);
  return { ...journal, entries: [...journal.entries, start] };
};

const refuseSame = (ctx: Ports, store: RunStore, run: RunFile, isNew = false): void => {
  try {
    const same = sentIn(store, findSameRuns(store, run, ctx.clock.now()));
    if (same) throw sentBefore(same);
  } catch (error) {
    // One that was kept before may be gone on with all the same (--again).
    if (isNew) removeRun(store, run.run);
    throw error;
  }
};

/** Nobody is asked for what is refused after the answer; that it is refused then, too, is what counts. */
export const assertNotSentBefore = (
  ctx: Ports,
  store: RunStore,
  run: RunFile,
  { again, isNew }: Beginning,
): void => {
  if (!ctx.ask || again || isNamed(run)) return;
  if (isBegun(store, run.run)) refuseSentSince(ctx, store, run);
  else refuseSame(ctx, store, run, isNew);
};

/** What it is goes by a key, or by the run that it goes on with. */
const isNamed = ({ once, takesOver }: RunFile): boolean => (once ?? takesOver) !== undefined;

type SentIn = Summary & { readonly started: string };

/** The first of them that sent rows, or may still. */
const sentIn = (store: RunStore, others: readonly RunFile[]): SentIn | undefined =>
  others
    .map((it) => ({ ...shownSummary(store, it), started: it.started }))
    .find((it) => it.state !== "cancelled" || it.accepted > 0);

/** While a run stood still another may have sent its rows: to go on with it sends them twice. */
const refuseSentSince = (ctx: Ports, store: RunStore, run: RunFile): void => {
  const state = readState(store, run);
  if (state?.ended || state?.cancel) return;
  const same = sentIn(store, findSentAfter(store, run, ctx.clock.now()));
  if (same) throw sentBefore(same);
};

const sentBefore = ({ run: id, state, started }: SentIn): MsgError => {
  const run = id ?? "";
  const isOver = ["done", "cancelled", "scheduled", "unscheduled"].includes(state);
  const over = t`nothing was sent now; msg run show ${run} shows what became of it; --again sends them once more`;
  const damaged = t`nothing was sent now; msg run show ${run} shows what became of it, msg run reconcile ${run} rebuilds it; --again sends them once more`;
  const open = t`nothing was sent now; msg run show ${run} shows what became of it, --resume ${run} resumes it; --again sends them once more`;
  return new MsgError(
    "stopped",
    t`the same rows are in run ${run}, started ${shownTime(started)}`,
    {
      code: "SentBefore",
      where: t`run ${run}`,
      todo: isOver ? over : state === "damaged" ? damaged : open,
    },
  );
};

/** The rows are in groups of runs that this machine does not know. */
export const sentElsewhereError = (
  { scheduledDate }: RunFile,
  taken: readonly Taken[],
): MsgError => {
  const runs = [...new Set(taken.map(({ run }) => run))].join(", ");
  const isLater = taken.some((it) => it.scheduled);
  const ids = taken.map(({ id }) => id).sort();
  const [first = ""] = ids;
  const groups = ids.length === 1 ? t`group ${first}` : t`groups ${ids.join(", ")}`;
  const what = isLater
    ? t`the same rows are scheduled for ${shownTime(scheduledDate ?? "")} by run ${runs}, in ${groups}`
    : t`the same rows were sent by run ${runs}, in ${groups}`;
  return new MsgError("stopped", what, {
    code: "SentBefore",
    where: t`run ${runs}`,
    todo: t`nothing was sent now; msg group get ${first} shows what became of it; --again sends them once more`,
  });
};

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
