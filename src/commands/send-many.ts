import * as v from "valibot";
import { tool } from "../cli/command.ts";
import type { Context } from "../cli/context.ts";
import { file } from "../contract/fields.ts";
import { scheduleGroup } from "../contract/groups.ts";
import { MsgError, unless } from "../errors.ts";
import type { Result } from "../output/view.ts";
import { checkCanary } from "../send/canary/plan-canary.ts";
import { workPastCanary } from "../send/canary/work-past-canary.ts";
import {
  findTakenRows,
  isAllTaken,
  isSentByOthers,
  restBehind,
} from "../send/claims/taken-rows.ts";
import { noteSingleMachine } from "../send/guards/assumptions.ts";
import { sendEndpoints } from "../send/guards/endpoints.ts";
import { assertOwnRun, findOwnRun } from "../send/guards/own-run.ts";
import { assertRunAllowed, confirmRun, findLacks } from "../send/guards/run-guard.ts";
import { paceFor, readPart } from "../send/parts/part.ts";
import { findRunAtService, otherRowsError, planRun } from "../send/plan/plan-run.ts";
import type { Source } from "../send/plan/read-source.ts";
import { sourceOf } from "../send/plan/source-flags.ts";
import type { State } from "../send/protocol/state.ts";
import { estimateRun, previewPlan, previewResume } from "../send/report/dry-run.ts";
import { resultOf, summaryColumns } from "../send/report/ending.ts";
import { showPanel } from "../send/report/panel.ts";
import {
  cancelledError,
  type ResultsFile,
  readRowResults,
  showEndedRun,
  withResent,
  withResults,
} from "../send/report/results.ts";
import { sendTimeError } from "../send/run/hours.ts";
import { assertNotSentBefore, planNotBegunError, planSentError } from "../send/start/begin.ts";
import {
  checkHour,
  checkKey,
  findKeyed,
  hasOwnName,
  noteSent,
  waitingFor,
} from "../send/start/once.ts";
import {
  assertOfMany,
  confirmResume,
  planRetry,
  reconciledState,
  rescheduleGroups,
} from "../send/start/resume.ts";
import {
  assertNoOtherFlags,
  assertSizes,
  onceWithinOf,
  type RunFlags,
  reconcileMsOf,
  resumedOf,
  runFlags,
} from "../send/start/run-flags.ts";
import type { WorkOptions } from "../send/start/work.ts";
import type { RunFile } from "../send/store/run-file.ts";
import { isBegun, storeOf } from "../send/store/run-folder.ts";
import { removeIdleRun, removeRun } from "../send/store/run-removal.ts";
import { assertWithin, waitForRun, waitMsOf } from "../send/wait/wait-run.ts";

export default tool({
  additionalEndpoints: [...sendEndpoints, scheduleGroup],
  writes: true,
  args: {
    file: v.optional(
      file(
        "spreadsheet (.xlsx), CSV, TSV, JSON or JSONL file with a column 'to', or - for standard input",
      ),
    ),
  },
  flags: runFlags,
  columns: summaryColumns,
  fields: [
    "groups",
    "state",
    "path",
    "notSent",
    "delivered",
    "failed",
    "pending",
    "method",
    "body",
    "plan",
    "digest",
    "messages",
    "types",
  ],
  examples: [
    'msg send-many customers.csv --from 0200000000 --text "#{name}님, 안녕하세요" --sandbox',
    `echo '[{"to":"01000000001","text":"a"}]' | msg send-many - --from 0200000000 --json`,
    "msg send-many customers.csv --text @notice.txt --plan-out july.msgplan",
    "msg send-many customers.csv --text @notice.txt --canary 20 --canary-max-failed 5%",
    "msg send-many --resume last",
  ],
  run: async (ctx, { args, flags }) => {
    checkFlags(ctx, flags);
    const retried = flags.retryRefused ?? flags.retryFailed;
    const { resume: resumed } = flags;
    if (resumed !== undefined && args.file !== undefined)
      return resumeFrom(ctx, args.file, { ...flags, resume: resumed });
    assertNoOtherFlags(args.file, flags);
    if (resumed !== undefined) return resume(ctx, resumed, flags);
    if (retried !== undefined) {
      const again = await planRetry(ctx, retried, flags);
      return sendNew(ctx, again.source, again.flags);
    }
    const name = flags.plan ?? sourceOf(ctx, "send-many", args.file);
    return sendNew(ctx, { name }, flags);
  },
});

/** Reports wrong flags before rows are read and a question is asked. */
const checkFlags = (ctx: Context, flags: RunFlags): void => {
  checkKey(flags);
  checkCanary(ctx, flags);
  reconcileMsOf(flags.settle);
  assertWithin(flags.within, flags.wait);
  if (flags.resume === undefined && (flags.retryRefused ?? flags.retryFailed) === undefined)
    readPart(ctx, flags);
  assertSizes(flags);
};

const sendNew = async (ctx: Context, source: Source, flags: RunFlags): Promise<Result> => {
  const store = storeOf(ctx);
  const late = await checkHour(ctx, flags, source);
  if (ctx.consent.dryRun || flags.estimate) return planOnly(ctx, source, flags);
  if (flags.planOut !== undefined) {
    const { keepPlan } = await import("../send/plan-file/keep-plan.ts");
    return keepPlan(ctx, source, { ...flags, planOut: flags.planOut });
  }
  return withResults(store, flags, async (results) => {
    const made = await preparePlan(ctx, source, flags, results);
    const { run } = made;
    const before = run.once === undefined ? undefined : findKeyed(store, run);
    if (before) {
      // The plan existed only to compare the rows.
      removeRun(store, run.run);
      await assertOwnRun(ctx, before);
      return continueRun(ctx, before, await reconciledState(ctx, before), { ...flags, results });
    }
    // A part may be empty: the number of workers is fixed, however few the rows.
    const isNamed = hasOwnName(run) || run.messages === 0;
    const taken = isNamed || findLacks(made).length > 0 ? await findTakenRows(ctx, run) : [];
    // Nothing is left to confirm: the run is only shown.
    if (isNamed && isAllTaken(run, taken)) return work(ctx, run, { ...flags, results });
    if (late) {
      removeRun(store, run.run);
      throw late;
    }
    await showPanel(ctx, made);
    if (run.claim !== undefined) await noteSingleMachine(ctx);
    const untimely = await sendTimeError(ctx, run);
    if (untimely) throw untimely;
    assertRunAllowed(ctx, made, flags, taken);
    await assertNotSentBefore(ctx, run, { again: flags.again === true, isNew: true });
    await confirmRun(ctx, run, restBehind(run, taken));
    return work(ctx, run, { ...flags, results });
  });
};

const preparePlan: typeof planRun = async (ctx, source, flags, results) => {
  if (flags.plan === undefined) return planRun(ctx, source, flags, results);
  const { planFromFile } = await import("../send/plan-file/plan-from-file.ts");
  return planFromFile(ctx, flags.plan);
};

const planOnly = async (ctx: Context, source: Source, flags: RunFlags): Promise<Result> => {
  const store = storeOf(ctx);
  const made = await preparePlan(ctx, source, flags, undefined);
  const { run } = made;
  try {
    if (!flags.estimate) return await previewPlan(ctx, made, flags);
    await showPanel(ctx, made);
    return await estimateRun(ctx, made, flags);
  } finally {
    // Another process may have resumed it as an abandoned run.
    await removeIdleRun(store, run.run, () => !isBegun(store, run.run));
  }
};

/** Resuming uses the code of a new run; a finished run is only shown. */
const resume = async (ctx: Context, named: string, flags: RunFlags): Promise<Result> => {
  const store = storeOf(ctx);
  const run = await findOwnRun(ctx, named);
  const state = await reconciledState(ctx, run);
  if (run.plan && !state) throw planNotBegunError(run);
  assertOfMany(run);
  if (ctx.consent.dryRun && !state?.ended) return previewResume(ctx, run, flags);
  const rescheduled =
    state && flags.again && !ctx.consent.dryRun
      ? rescheduleGroups(store, run, ctx.clock.now())
      : {};
  return withResults(store, flags, (results) =>
    continueRun(ctx, run, state, { ...flags, results }, rescheduled),
  );
};

/** Resumes a run that may be unknown to this machine: its rows are given again. */
const resumeFrom = async (
  ctx: Context,
  name: string,
  { resume: named, ...flags }: RunFlags & { readonly resume: string },
): Promise<Result> => {
  const local = await unless(isMissing, () => findOwnRun(ctx, named));
  if (local) {
    const { run } = await planRun(ctx, { name }, flags, undefined);
    removeRun(storeOf(ctx), run.run);
    if (run.content !== local.content) throw otherRowsError(local.run);
    return resume(ctx, local.run, { ...resumedOf(flags), resume: local.run });
  }
  const { once } = flags;
  const withinMs = once === undefined ? 0 : onceWithinOf(flags);
  const findPredecessor: Source["findPredecessor"] = (content, part) =>
    findRunAtService(ctx, named, { content, part, once, withinMs });
  return sendNew(ctx, { name, findPredecessor }, { ...flags, again: undefined });
};

const isMissing = (error: unknown): boolean => error instanceof MsgError && error.code === "NoRun";

/** Resumes a run of this machine, or shows it if it is finished; `back` schedules groups of it again. */
const continueRun = async (
  ctx: Context,
  run: RunFile,
  state: State | undefined,
  flags: WorkFlags,
  back: ReturnType<typeof rescheduleGroups> = {},
): Promise<Result> => {
  if (state?.ended && !back.first)
    return waitIfAsked(ctx, run, await showEndedRun(ctx, run, state, flags.results), flags);
  await confirmResume(ctx, run, flags);
  return work(ctx, run, flags, back);
};

/** Waits for the delivery of the sent messages, if --wait asks for it. */
const waitIfAsked = async (
  ctx: Context,
  run: RunFile,
  result: ReturnType<typeof resultOf>,
  { wait, within }: WorkFlags,
): Promise<Result> => {
  const { record: summary, ending } = result;
  const isSent = ending === undefined || ending.kind === "partial";
  return wait && isSent ? waitForRun(ctx, run, { summary, ending }, waitMsOf(within)) : result;
};

/** With the open file of `--results`. */
type WorkFlags = Omit<RunFlags, "results"> & { readonly results: ResultsFile | undefined };

/** A run that no guard has allowed by now sends nothing: it only finds that others have sent all of it. */
const work = async (
  ctx: Context,
  planned: RunFile,
  flags: WorkFlags,
  back?: ReturnType<typeof rescheduleGroups>,
): Promise<Result> => {
  // The run's own values apply unless the line overrides them.
  const { concurrency, rate } = paceFor(planned, flags);
  const run = { ...planned, concurrency };
  const { again = false, results } = flags;
  const isNew = back === undefined;
  const noWait = flags.wait === false;
  const how: WorkOptions = {
    ...back,
    goal: "finish",
    rate,
    again,
    isNew,
    noWait,
    reconcileMs: reconcileMsOf(flags.settle, run.settleMs),
    onWorking: run.once !== undefined && !noWait ? waitingFor(ctx, run.once) : undefined,
    check: (begun) => {
      if (begun && isNew && run.plan) throw planSentError(run);
    },
  };
  const worked = await workPastCanary(ctx, run, how, flags);
  const finished = { ...worked, summary: await withResent(ctx, worked.state, worked.summary) };
  if (hasOwnName(run) && isSentByOthers(finished)) await noteSent(ctx, run, finished.state);
  const problems = await readRowResults(ctx, run, finished, results);
  const result = resultOf(run, { ...finished, problems });
  const isCancelled = finished.ending.type === "cancelled";
  const ending = result.ending ?? cancelledError(run, isCancelled, finished.summary);
  return waitIfAsked(ctx, run, { ...result, ending }, flags);
};
