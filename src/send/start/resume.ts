/** Resuming, retrying and rescheduling a run: what is checked, shown and asked before that. */

import { backdatedMs, toSeconds } from "../../client/service-clock.ts";
import { MsgError, usageError } from "../../errors.ts";
import { t } from "../../locale/locale.ts";
import { formatMessageCount } from "../../message/price.ts";
import type { Ports } from "../../ports.ts";
import { assertResumeAllowed, confirmRun } from "../guards/guards.ts";
import type { Limits } from "../guards/spending.ts";
import type { Source } from "../plan/read-source.ts";
import { assertApproved } from "../plan-file/approval.ts";
import { isUnscheduled } from "../protocol/groups.ts";
import { retriedRows } from "../report/input-rows.ts";
import { nextStep } from "../report/next-step.ts";
import { showRemaining } from "../report/panel.ts";
import { sendTimeError } from "../run/hours.ts";
import type { RunFile } from "../store/run-file.ts";
import type { RunStore } from "../store/run-folder.ts";
import { isInProgress } from "../store/run-lock.ts";
import { readJournalState, readState, type Summary, summarize } from "../store/summary.ts";
import { readDelivered } from "../wait/wait-run.ts";
import { assertNotSentBefore, resumedStopError } from "./begin.ts";
import { findOwnRun } from "./own-run.ts";
import type { RunFlags } from "./run-flags.ts";
import type { WorkOptions } from "./work.ts";

interface GoingOn extends Limits {
  /** The run as the operator named it; undefined for one that this command has planned, shown and asked for. */
  readonly resume?: string | undefined;
  readonly again?: boolean | undefined;
}

/**
 * Throws MsgError: its hour, a ceiling or the operator stands in the way. Nothing is asked where all that
 * is left is to find out what became of it.
 */
export const confirmResume = async (
  ctx: Ports,
  store: RunStore,
  run: RunFile,
  flags: GoingOn,
): Promise<void> => {
  const state = readState(store, run);
  const summary = summarize(run, state);
  const isLeft = flags.resume !== undefined && !state?.cancel && summary.notSent > 0;
  // One that another process works on is refused before it is asked for.
  const isAsked = isLeft && !(await isInProgress(store, run.run));
  if (isAsked) assertNotSentBefore(ctx, store, run, { again: flags.again === true });
  try {
    const late = await sendTimeError(ctx, run);
    if (late) throw late;
    assertResumeAllowed(ctx, run, flags);
    // Nothing is sent of a run that only waits to be settled.
    if (isLeft) assertApproved(ctx, run);
    if (isAsked) await askRest(ctx, store, withCeiling(run, flags), summary);
  } catch (error) {
    throw resumedStopError(error, run, summary);
  }
};

/** The ceiling that holds now: the one that it was made with may have been raised. */
const withCeiling = (run: RunFile, { maxCost }: Limits): RunFile =>
  maxCost === undefined ? run : { ...run, maxCost };

const askRest = async (ctx: Ports, store: RunStore, run: RunFile, rest: Summary): Promise<void> => {
  await showRemaining(ctx, store, run, rest);
  await confirmRun(ctx, run, rest);
};

/** The intents for a run that was begun; nothing where no group of it was taken off. */
export const rescheduleGroups = (
  store: RunStore,
  run: RunFile,
  now: Date,
): Pick<WorkOptions, "first" | "since"> => {
  const { state, records } = readJournalState(store, run);
  const first = state.groups
    .filter((it) => isUnscheduled(state, it))
    .map(
      ({ groupIndex }) =>
        ({
          t: "SEND_INTENT",
          gen: groupIndex,
          date: toSeconds(new Date(now.getTime() - backdatedMs)),
        }) as const,
    );
  return first.length === 0 ? {} : { first, since: records };
};

/** What held for the rows holds for them still: strictness, the hours of advertising, several for one number. */
export const planRetry = async (
  ctx: Ports,
  store: RunStore,
  named: string,
  { ad, strict, dedupe, ...flags }: RunFlags,
): Promise<{ readonly source: Source; readonly flags: RunFlags }> => {
  const run = await findOwnRun(ctx, store, named);
  const state = readState(store, run);
  const summary = summarize(run, state);
  const retry = { ...flags, ad, strict, dedupe };
  if (flags.retryFailed !== undefined) return planFailed(ctx, store, run, retry);
  if (summary.refused > 0 && !state?.ended && summary.notSent + summary.unknown > 0)
    throw notOver(run, summary);
  if (summary.refused === 0)
    throw usageError(t`run ${run.run} has no refused rows`, {
      code: "NoRows",
      todo: t`nothing was sent; msg run show ${run.run} shows what became of it`,
    });
  return sourceOf(ctx, store, run, retry, "refused");
};

/** What is on the way may arrive still: nothing is sent anew before it is known. */
const planFailed = async (
  ctx: Ports,
  store: RunStore,
  run: RunFile,
  flags: RunFlags,
): ReturnType<typeof planRetry> => {
  const { failed, pending } = await readDelivered(ctx, summarize(run, readState(store, run)));
  if (pending > 0)
    throw new MsgError("stopped", t`${formatMessageCount(pending)} of the run still on the way`, {
      code: "RunPending",
      where: t`run ${run.run}`,
      todo: t`nothing was sent; wait for the delivery results: msg send-many --resume ${run.run} --wait`,
    });
  if (failed === 0)
    throw usageError(t`every message of run ${run.run} arrived`, {
      code: "NoRows",
      todo: t`nothing was sent; resend refused rows: msg send-many --retry-refused ${run.run}`,
    });
  return sourceOf(ctx, store, run, flags, "failed");
};

const sourceOf = (
  ctx: Ports,
  store: RunStore,
  run: RunFile,
  { ad, strict, dedupe, ...flags }: RunFlags,
  status: "refused" | "failed",
) => ({
  source: {
    name: `what of run ${run.run} ${status === "refused" ? "was refused" : "did not arrive"}`,
    retried: {
      run: run.run,
      rows: retriedRows(ctx, store, run, status),
      flags: run.input?.flags ?? [],
    },
  },
  flags: {
    ...flags,
    ad: ad ?? run.isAdvertising,
    strict: strict ?? (run.strict || undefined),
    dedupe: dedupe ?? (run.allowDuplicates ? ("off" as const) : undefined),
  },
});

/** Its refused rows are sent anew once: those that are refused later would be left. */
const notOver = (run: RunFile, summary: Summary): MsgError =>
  new MsgError("stopped", t`run ${run.run} is not finished: more of its rows may be refused`, {
    code: "RunOpen",
    where: t`run ${run.run}`,
    todo: t`nothing was sent; ${nextStep(run, summary) ?? `msg run show ${run.run}`}`,
  });
