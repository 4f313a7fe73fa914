/** Begins a planned run, or opens one to resume it, unless another run has its rows. */

import { invalidValue, MsgError } from "../../errors.ts";
import { joinSentences, shownTime, t } from "../../locale/locale.ts";
import { formatMessageCount } from "../../message/price.ts";
import type { Ports } from "../../ports.ts";
import { findSameRuns, findSentAfter, type PresentTime } from "../claims/same-rows.ts";
import type { Entry } from "../protocol/entries.ts";
import type { Taken } from "../protocol/state.ts";
import { describeCounts, outcomeOf, stoppedUnknownError } from "../report/ending.ts";
import { serviceTimes } from "../run/clocks.ts";
import { type Journal, openJournal } from "../store/journal.ts";
import { nameOf, type RunFile, sendCommand } from "../store/run-file.ts";
import { fileOf, type RunStore, storeOf } from "../store/run-folder.ts";
import { withStartLock } from "../store/run-lock.ts";
import { removeRun } from "../store/run-removal.ts";
import { readState, type Summary, shownSummary } from "../store/summary.ts";
import { hasOwnName } from "./once.ts";

export interface Beginning {
  /** Send although the same rows were sent within 24 hours, or nothing is sent. */
  readonly again: boolean;
  /** The run was made by this command: it is not kept if another run has its rows. */
  readonly isNew?: boolean;
}

/** Opens the journal of a run, and begins the run if it was not. Throws MsgError if another run has its rows. */
export const openRun = async (
  ctx: Ports,
  run: RunFile,
  isBegun: boolean,
  { again, isNew }: Beginning,
): Promise<Journal> => {
  const store = storeOf(ctx);
  const now = await presentTime(ctx);
  const open = (): Journal => {
    if (!again && !hasOwnName(run)) assertNotSent(store, run, now, isNew);
    return openJournal(store.files, fileOf(store, run.run, "journal.log"));
  };
  return isBegun ? open() : withStartLock(store, () => started(open()));
};

/** The error for a run of a plan that was begun: it may have been sent. */
export const planSentError = ({ run, plan }: Pick<RunFile, "run" | "plan">): MsgError =>
  new MsgError("stopped", t`this plan was already started, as run ${run}`, {
    code: "PlanSent",
    where: plan?.file,
    todo: t`nothing was sent now; msg run show ${run} shows what became of it and how to continue`,
  });

/** The error for resuming a planned run by its id: only `--plan` checks whether the plan is still valid. */
export const planNotBegunError = (run: RunFile): MsgError =>
  invalidValue(
    t`run ${run.run} of the plan '${run.plan?.file ?? ""}' was not started`,
    t`nothing was sent; ${sendCommand(run)} checks whether the plan is still valid, and sends it`,
  );

/** A clock that was set ahead would let the same rows out again: the service's clock does not follow it. */
const presentTime = async ({ clock, session }: Ports): Promise<PresentTime> => {
  const { clock: service } = await session.client();
  const times = serviceTimes({ now: clock.now, service });
  return { here: clock.now().getTime(), earliest: times.earliest() };
};

const started = (journal: Journal): Journal => {
  const start: Entry = { t: "START" };
  journal.append([start]);
  return { ...journal, entries: [...journal.entries, start] };
};

/** While a run was paused another may have sent its rows: resuming would send them twice. */
const assertNotSent = (store: RunStore, run: RunFile, now: PresentTime, isNew = false): void => {
  const state = readState(store, run);
  if (state?.ended || state?.cancel) return;
  try {
    const same = sentIn(store, (state ? findSentAfter : findSameRuns)(store, run, now));
    if (same) throw sentBeforeError(same);
  } catch (error) {
    // A run that was kept before may still be resumed with --again.
    if (isNew && !state) removeRun(store, run.run);
    throw error;
  }
};

/** Checks before the prompt, and if nothing is sent; `workOnRun` checks again, and decides. */
export const assertNotSentBefore = async (
  ctx: Ports,
  run: RunFile,
  { again, isNew }: Beginning,
): Promise<void> => {
  // Without a prompt the start checks it soon enough.
  const isLast = !ctx.ask && !ctx.consent.dryRun;
  if (isLast || again || hasOwnName(run)) return;
  assertNotSent(storeOf(ctx), run, await presentTime(ctx), isNew);
};

type SentIn = Summary & { readonly started: string };

/** The first of them that sent rows, or may still send some. */
const sentIn = (store: RunStore, others: readonly RunFile[]): SentIn | undefined =>
  others
    .map((it) => ({ ...shownSummary(store, it), started: it.started }))
    .find((it) => it.state !== "cancelled" || it.accepted > 0);

const sentBeforeError = (same: SentIn): MsgError =>
  new MsgError(
    "stopped",
    t`the same rows are in run ${same.run}, started ${shownTime(same.started)}`,
    { code: "SentBefore", where: t`run ${same.run}`, todo: sentBeforeTodo(same) },
  );

const sentBeforeTodo = ({ run, state }: SentIn): string => {
  if (["done", "cancelled", "scheduled", "unscheduled"].includes(state))
    return t`nothing was sent now; msg run show ${run} shows what became of it; --again sends them once more`;
  if (state === "damaged")
    return t`nothing was sent now; msg run show ${run} shows what became of it, msg run reconcile ${run} rebuilds it`;
  if (state === "unknown")
    return t`nothing was sent now; msg run reconcile ${run} checks what became of it`;
  return t`nothing was sent now; msg run show ${run} shows what became of it, --resume ${run} resumes it; --again sends them once more`;
};

/** The error for rows that are in groups of runs of other machines. */
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

/** The error that stops a resumed run: it must not say that nothing was sent if rows were, or may have been. */
export const resumedStopError = (error: unknown, run: RunFile, summary: Summary): unknown => {
  const { accepted, unknown } = summary;
  if (!(error instanceof MsgError) || accepted + unknown === 0) return error;
  const { kind, where, reason } = error;
  const todo = error.todoWith({ nothing: t`nothing more was sent` });
  const outcome = outcomeOf(summary);
  if (unknown === 0)
    return error.reworded(kind, t`${reason}; ${describeCounts(summary)}`, { todo, outcome });
  return stoppedUnknownError(error, {
    what:
      unknown === 1
        ? t`1 message remains unclear`
        : t`${formatMessageCount(unknown)} remain unclear`,
    where,
    todo: joinSentences([
      ...(todo === undefined ? [] : [todo]),
      t`msg run reconcile ${nameOf(run)} checks what became of it, and sends nothing`,
    ]),
  });
};
