/** What is checked, shown and asked before a run is resumed, retried or rescheduled. */

import { backdatedMs, toSeconds } from "../../client/service-clock.ts";
import { exclusive, invalidValue, MsgError, usageError } from "../../errors.ts";
import { t } from "../../locale/locale.ts";
import { formatMessageCount } from "../../message/price.ts";
import type { Ports } from "../../ports.ts";
import { claimKey } from "../claims/group-fields.ts";
import { findOwnRun } from "../guards/own-run.ts";
import { assertResumeAllowed, confirmRun } from "../guards/run-guard.ts";
import type { Limits } from "../guards/spending.ts";
import { partName } from "../parts/part.ts";
import type { Source } from "../plan/read-source.ts";
import { assertApproved } from "../plan-file/approval.ts";
import { isAnyWaiting, isUnscheduled } from "../protocol/group-status.ts";
import type { State } from "../protocol/state.ts";
import { retriedRows } from "../report/input-rows.ts";
import { nextStep } from "../report/next-step.ts";
import { remainingLines, showLines } from "../report/panel.ts";
import { sendTimeError, serviceTime } from "../run/hours.ts";
import { isSingleSend, type RetriedRun, type RunFile } from "../store/run-file.ts";
import { type RunStore, storeOf } from "../store/run-folder.ts";
import { isInProgress } from "../store/run-lock.ts";
import { readJournalState, readState, type Summary, summarize } from "../store/summary.ts";
import { decidedIn, readGroups } from "../wait/wait-run.ts";
import { assertNotSentBefore, resumedStopError } from "./begin.ts";
import { waitingFor } from "./once.ts";
import type { RunFlags } from "./run-flags.ts";
import { type WorkOptions, workOnRun } from "./work.ts";

/**
 * Throws MsgError if its send time, a ceiling or the operator forbids it. Does not prompt for a run that only has
 * to be reconciled.
 */
export const confirmResume = async (
  ctx: Ports,
  run: RunFile,
  flags: Limits & Pick<RunFlags, "again">,
): Promise<void> => {
  const store = storeOf(ctx);
  const state = readState(store, run);
  const summary = summarize(run, state);
  const isLeft = !state?.cancel && summary.notSent > 0;
  // A run that another process works on is refused later: no prompt first.
  const isAsked = isLeft && !(await isInProgress(store, run.run));
  if (isAsked) await assertNotSentBefore(ctx, run, { again: flags.again === true });
  try {
    const late = await sendTimeError(ctx, run);
    if (late) throw late;
    await assertResumeAllowed(ctx, run, flags, state !== undefined);
    // A run that only has to be reconciled sends nothing.
    if (isLeft) assertApproved(ctx, run);
    if (!isAsked) return;
    // The ceiling that holds now: that of the run may have been raised.
    const { maxCost = run.maxCost } = flags;
    const ofNow = { ...run, maxCost };
    await showLines(ctx, () => remainingLines(ctx, ofNow, summary));
    await confirmRun(ctx, run, summary);
  } catch (error) {
    throw resumedStopError(error, run, summary);
  }
};

/**
 * What became of a run that is over. One that waits for its hour is looked up: its groups may have gone out since,
 * or failed, or someone may have taken them off their schedule; a script relies on `already scheduled`.
 * Throws MsgError if the service could not be asked. A dry run asks nothing.
 */
export const reconciledState = async (ctx: Ports, run: RunFile): Promise<State | undefined> => {
  const state = readState(storeOf(ctx), run);
  if (ctx.consent.dryRun || !state?.ended) return state;
  if (!isAnyWaiting(state)) return state;
  const onWorking = run.once === undefined ? undefined : waitingFor(ctx, run.once);
  const how = { reconcileMs: 0, again: false, goal: "reconcile", onWorking } as const;
  const looked = await workOnRun(ctx, run, how);
  const { error, summary } = looked;
  if (error && looked.ending.type !== "done") throw resumedStopError(error, run, summary);
  return looked.state;
};

/** The records that schedule unscheduled groups again; none if there are no such groups. */
export const rescheduleGroups = (
  store: RunStore,
  run: RunFile,
  now: Date,
): Pick<WorkOptions, "first" | "since"> => {
  const { state, records } = readJournalState(store, run);
  const date = toSeconds(new Date(now.getTime() - backdatedMs));
  const first = state.groups
    .filter((it) => isUnscheduled(state, it))
    .map(({ groupIndex }) => ({ t: "SEND_INTENT", gen: groupIndex, date }) as const);
  return first.length === 0 ? {} : { first, since: records };
};

/** Throws MsgError (usage) for the run of a `msg send --once`: its key alone says whether it is sent once more. */
export const assertOfMany = (run: RunFile): void => {
  if (!isSingleSend(run)) return;
  throw invalidValue(
    t`run ${run.run} belongs to msg send --once ${run.once ?? ""}`,
    t`nothing was sent; repeat that command: it sends only once, however often it runs; to send the same once more, use another key`,
  );
};

/** The rows of a run that were refused or failed, as a source, and the flags of the run that apply to them. */
export const planRetry = async (
  ctx: Ports,
  named: string,
  flags: RunFlags,
): Promise<{ readonly source: Source; readonly flags: RunFlags }> => {
  const run = await findOwnRun(ctx, named);
  assertOfMany(run);
  const state = await reconciledState(ctx, run);
  const summary = summarize(run, state);
  const status = flags.retryFailed === undefined ? "refused" : "failed";
  if (status === "failed") await assertFailed(ctx, run, summary);
  else assertRefused(run, state, summary, await serviceTime(ctx));
  const what = status === "refused" ? "was refused" : "did not arrive";
  const rows = retriedRows(ctx, run, status);
  const retried = retriedRunOf(run, status, state);
  if (!flags.again) assertSeen(retried, flags);
  return {
    source: {
      name: `what of run ${run.run} ${what}`,
      retried: {
        run: run.run,
        known: [retried, ...othersOf(run, status, state)],
        rows,
        flags: run.input?.flags ?? [],
      },
    },
    flags: {
      ...flags,
      ad: flags.ad ?? run.isAdvertising,
      strict: flags.strict ?? (run.strict || undefined),
      dedupe: flags.dedupe ?? (run.allowDuplicates ? "off" : undefined),
    },
  };
};

const retriedRunOf = (
  { run, claim, part }: RunFile,
  status: RetriedRun["status"],
  state: State | undefined,
): RetriedRun => ({
  run,
  status,
  // What did not arrive was sent: that run's own groups say so to others.
  ...(status === "refused" && claim !== undefined && { claim: claimKey(claim, partName(part)) }),
  sent: [
    ...idsOf(state, "sent"),
    ...(state?.taken ?? []).flatMap((it) => (it.rows.length > 0 ? it.id : [])),
  ],
  failed: idsOf(state, "failed"),
});

/** What others may know the rows by, too: another run that sent some of them, or one that this run retried. */
const othersOf = (
  { run, retriedRuns = [] }: RunFile,
  status: RetriedRun["status"],
  state: State | undefined,
): readonly RetriedRun[] => {
  const others = new Set(state?.taken.map((it) => it.run).filter((id) => id !== run));
  return [
    ...[...others].map((id) => ({ run: id, status, sent: [], failed: [] })),
    // What did not arrive was sent as rows of this run: those that it is a retry of have other rows.
    ...(status === "refused" ? retriedRuns : []),
  ];
};

/** A group that failed as a whole may be resent, and its list sent again: only groups say that its rows went out. */
const assertSeen = ({ claim, failed }: RetriedRun, { direct, tag }: RunFlags): void => {
  if (claim === undefined || failed.length === 0 || (!direct && tag !== false)) return;
  const flag = direct ? "--direct" : "--no-tag";
  throw exclusive(
    flag,
    "--retry-refused",
    t`nothing was sent; a group of the run failed as a whole, and only a retry without ${flag} keeps it from being resent`,
  );
};

const idsOf = (state: State | undefined, which: "sent" | "failed"): readonly string[] =>
  (state?.groups ?? []).flatMap(({ id, status }) => (status === which && id) || []);

/** Messages that are still on the way may arrive: they must not be sent again. */
const assertFailed = async (ctx: Ports, { run }: RunFile, summary: Summary): Promise<void> => {
  const { failed, pending } = decidedIn(await readGroups(ctx, summary.groups), summary);
  if (pending > 0)
    throw new MsgError("stopped", t`${formatMessageCount(pending)} of the run still on the way`, {
      code: "RunPending",
      where: t`run ${run}`,
      todo: t`nothing was sent; wait for the delivery results: msg run watch ${run}`,
    });
  if (failed === 0)
    throw usageError(t`no message of run ${run} has failed`, {
      code: "NoRows",
      todo:
        summary.refused > 0
          ? t`nothing was sent; resend refused rows: msg send-many --retry-refused ${run}`
          : t`nothing was sent; msg run show ${run} shows what became of it`,
    });
};

/** Refused rows are sent again once, so no more may be refused after that. */
const assertRefused = (
  run: RunFile,
  state: State | undefined,
  summary: Summary,
  now: Date,
): void => {
  const { refused, notSent, unknown } = summary;
  const next = nextStep(run, summary, now) ?? t`msg run show ${run.run} shows what became of it`;
  const todo = t`nothing was sent; ${next}`;
  if (refused === 0)
    throw usageError(t`run ${run.run} has no refused rows`, { code: "NoRows", todo });
  if (!state?.ended && notSent + unknown > 0)
    throw new MsgError(
      "stopped",
      t`run ${run.run} is not finished: more of its rows may be refused`,
      { code: "RunOpen", where: t`run ${run.run}`, todo },
    );
};
