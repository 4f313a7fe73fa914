import * as v from "valibot";
import { tool } from "../cli/command.ts";
import type { Context } from "../cli/context.ts";
import { file } from "../contract/fields.ts";
import {
  addGroupMessages,
  createGroup,
  deleteGroup,
  listGroups,
  readGroup,
  scheduleGroup,
  sendGroup,
} from "../contract/groups.ts";
import { listMessages, sendMany } from "../contract/messages.ts";
import { getPrice } from "../contract/pricing.ts";
import { MsgError, type Problem, toMsgError, usageError } from "../errors.ts";
import { sanitize } from "../output/text/safe.ts";
import type { Result } from "../output/view.ts";
import { assertRunAllowed, confirmRun } from "../send/guards/guards.ts";
import { planRun, type Source } from "../send/plan/plan-run.ts";
import { sourceOf } from "../send/plan/source.ts";
import { unscheduledError } from "../send/report/ending.ts";
import { nextStep } from "../send/report/next-step.ts";
import { showPanel } from "../send/report/panel.ts";
import { previewPlan, previewRest } from "../send/report/preview.ts";
import {
  createResults,
  isReported,
  type ResultsFile,
  refusedOf,
  writeResults,
} from "../send/report/results.ts";
import { summaryColumns } from "../send/report/summary-columns.ts";
import { assertNotSentBefore } from "../send/start/begin.ts";
import { findOwnRun } from "../send/start/own-run.ts";
import { rescheduleGroups } from "../send/start/reschedule.ts";
import { confirmResume, reportStop } from "../send/start/resume.ts";
import { planRetry } from "../send/start/retry-failed.ts";
import {
  assertNoOtherFlags,
  type RunFlags,
  reconcileMsOf,
  runFlags,
  sizesOf,
} from "../send/start/run-flags.ts";
import { removeIdleRun } from "../send/start/run-removal.ts";
import { type RunResult, resultOf, workOnRun } from "../send/start/work.ts";
import type { RunFile } from "../send/store/run-file.ts";
import { isBegun, type RunStore } from "../send/store/run-folder.ts";
import { readState } from "../send/store/run-state.ts";
import { storeOf } from "../send/store/run-store.ts";
import { type Summary, summarize } from "../send/store/summary.ts";
import { assertWithin, waitForRun, waitMsOf } from "../send/wait/wait-run.ts";

export default tool({
  additionalEndpoints: [
    sendMany,
    createGroup,
    addGroupMessages,
    readGroup,
    sendGroup,
    scheduleGroup,
    listGroups,
    deleteGroup,
    listMessages,
    getPrice,
  ],
  writes: true,
  args: {
    file: v.optional(
      file("rows with a column 'to': CSV, TSV, JSON or JSONL; - for standard input"),
    ),
  },
  flags: runFlags,
  columns: summaryColumns,
  fields: [
    ...["groups", "state", "path", "notSent", "delivered", "failed", "pending"],
    ...["method", "body", "plan"],
  ],
  examples: [
    'msg send-many customers.csv --from 0200000000 --text "#{name}님, 안녕하세요" --sandbox',
    "msg send-many customers.csv --map to=휴대폰 --text @notice.txt -n",
    `echo '[{"to":"01000000001","text":"a"}]' | msg send-many - --from 0200000000 --json`,
    "msg send-many messages.jsonl --max-cost 50000 --on-invalid skip",
    'msg send-many customers.csv --text @notice.txt --at "2026-08-01 09:00"',
    "msg send-many --resume last",
    "msg send-many --retry-refused last --max-cost 1000",
  ],
  run: async (ctx, { args, flags }) => {
    checkFlags(flags);
    const store = storeOf(ctx);
    const retried = flags.retryRefused ?? flags.retryFailed;
    if (flags.resume !== undefined || retried !== undefined) assertNoOtherFlags(args.file, flags);
    if (flags.resume !== undefined) return resume(ctx, store, flags.resume, flags);
    if (retried !== undefined) {
      const again = await planRetry(ctx, store, retried, flags);
      return sendNew(ctx, store, again.source, again.flags);
    }
    return sendNew(ctx, store, { name: sourceOf(ctx, "send-many", args.file) }, flags);
  },
});

/** What is wrong is reported before rows are read and a question is asked. */
const checkFlags = (flags: RunFlags): void => {
  const { rate, settle, within, wait, direct, groupSize } = flags;
  if (rate !== undefined && !(rate > 0))
    throw usageError("--rate takes a number above 0", { code: "InvalidValue" });
  reconcileMsOf(settle);
  assertWithin(within, wait);
  sizesOf(flags);
  if (direct && groupSize !== undefined)
    throw usageError("--direct and --group-size exclude each other", {
      code: "InvalidUsage",
      todo: "--direct makes no groups; --chunk gives the rows of one request",
    });
};

const sendNew = async (
  ctx: Context,
  store: RunStore,
  source: Source,
  flags: RunFlags,
): Promise<Result> => {
  if (ctx.consent.dryRun || flags.estimate) return planOnly(ctx, store, source, flags);
  return withResults(store, flags, async (results) => {
    const made = await planRun(ctx, store, source, flags, results);
    const { run } = made;
    await showPanel(ctx, made);
    assertRunAllowed(ctx, made, flags);
    assertNotSentBefore(ctx, store, run, { again: flags.again === true, isNew: true });
    await confirmRun(ctx, run);
    return carryOut(ctx, store, run, { ...flags, results });
  });
};

const planOnly = async (
  ctx: Context,
  store: RunStore,
  source: Source,
  flags: RunFlags,
): Promise<Result> => {
  const made = await planRun(ctx, store, source, flags, undefined);
  const { run } = made;
  try {
    if (!flags.estimate) return await previewPlan(ctx, store, made, flags);
    await reportStop(ctx, made, flags);
    await showPanel(ctx, made);
    const summary = summarize(run, undefined);
    const record = { ...summary, run: null, state: "estimated", cost: run.price };
    return { record, columns: summaryColumns };
  } finally {
    // Somebody may have taken it for a run that was left, and have gone on with it.
    await removeIdleRun(store, run.run, () => !isBegun(store, run.run));
  }
};

/** The file of `--results` is made first; it stays where it tells something. */
const withResults = async <T>(
  store: RunStore,
  { results: path }: RunFlags,
  action: (results: ResultsFile | undefined) => Promise<T>,
): Promise<T> => {
  const results = path === undefined ? undefined : createResults(store, path);
  try {
    return await action(results);
  } catch (error) {
    if (!isReported(error)) results?.discard();
    throw error;
  } finally {
    results?.close();
  }
};

/** Resuming uses the code of a new run; a run that is over is only shown. */
const resume = async (
  ctx: Context,
  store: RunStore,
  named: string,
  flags: RunFlags,
): Promise<Result> => {
  const run = await findOwnRun(ctx, store, named);
  if (run.once !== undefined)
    throw usageError(`run ${run.run} is of msg send --once ${run.once}`, {
      code: "InvalidValue",
      todo: "nothing was sent; run that command again: it sends once, however often that is done",
    });
  const state = readState(store, run);
  if (ctx.consent.dryRun && !state?.ended) return previewRest(ctx, store, run, flags);
  const back =
    state && flags.again && !ctx.consent.dryRun
      ? rescheduleGroups(store, run, ctx.clock.now())
      : {};
  return withResults(store, flags, async (results) => {
    if (!state?.ended || back.first) return carryOut(ctx, store, run, { ...flags, results, back });
    if (results) await writeResults(ctx, store, run, state, results);
    const summary = summarize(run, state);
    if (summary.state === "unscheduled")
      return { record: summary, columns: summaryColumns, ending: unscheduledError(run, summary) };
    await ctx.note(`the run was over before: nothing was sent now${nextOf(run, summary)}`);
    return flags.wait
      ? waitForRun(ctx, run, { summary, ending: undefined }, waitMsOf(flags.within))
      : { record: summary, columns: summaryColumns };
  });
};

const nextOf = (run: RunFile, summary: Summary): string => {
  const next = nextStep(run, summary);
  return next === undefined ? "" : `; ${next}`;
};

type CarryOut = Omit<RunFlags, "results"> & {
  readonly results: ResultsFile | undefined;
  readonly back?: ReturnType<typeof rescheduleGroups>;
};

const carryOut = async (
  ctx: Context,
  store: RunStore,
  planned: RunFile,
  flags: CarryOut,
): Promise<Result> => {
  // What the run was made with holds until the line says otherwise.
  const run = { ...planned, concurrency: flags.concurrency ?? planned.concurrency };
  const { rate = run.rate, again = false, results, back } = flags;
  const reconcileMs =
    flags.settle === undefined && run.settleMs !== undefined
      ? run.settleMs
      : reconcileMsOf(flags.settle);
  const waitMs = flags.wait ? waitMsOf(flags.within) : undefined;
  await confirmResume(ctx, store, run, flags);
  const isNew = flags.resume === undefined;
  const how = { reconcileMs, rate, again, noWait: flags.wait === false, isNew } as const;
  const finished = await workOnRun(ctx, store, run, { ...how, ...back, goal: "finish" });
  const problems = await tellRows(ctx, store, run, finished, results);
  const { summary } = finished;
  const result = resultOf(run, { ...finished, problems });
  const ending = endingIn(result) ?? (how.isNew ? cancelledBefore(run, finished) : undefined);
  const isSent = ending === undefined || ending.kind === "partial";
  return waitMs !== undefined && isSent
    ? waitForRun(ctx, run, { summary, ending }, waitMs)
    : { ...result, ending };
};

const endingIn = (result: Result): MsgError | undefined =>
  "ending" in result ? result.ending : undefined;

/** Whoever asked for it to be sent must not take it for sent. */
const cancelledBefore = (
  { run }: RunFile,
  { ending, summary }: RunResult,
): MsgError | undefined => {
  if (ending.type !== "cancelled" || summary.notSent === 0) return undefined;
  return new MsgError("stopped", `the run was cancelled: ${summary.notSent} not sent`, {
    code: "Cancelled",
    where: `run ${run}`,
    todo: `msg run export ${run} --status not-sent gives the rows`,
    outcome: summary.accepted > 0 ? "partial" : "not_sent",
  });
};

/** Reads what became of single rows. What was sent stays sent where that cannot be read. */
const tellRows = async (
  ctx: Context,
  store: RunStore,
  run: RunFile,
  finished: RunResult,
  results: ResultsFile | undefined,
): Promise<readonly Problem[]> => {
  const later = `msg send-many --resume ${run.run} --results <file> reads them, and sends nothing`;
  try {
    // Whoever stops is not kept waiting for what can be read later.
    if (ctx.signal.aborted) throw new MsgError("interrupted", "interrupted");
    if (results) await writeResults(ctx, store, run, finished.state, results);
    return await refusedOf(ctx, finished);
  } catch (error) {
    results?.discard();
    const { message, kind } = toMsgError(error);
    if (results || kind !== "interrupted")
      await ctx.io.err.write(`the rows could not all be read: ${sanitize(message)}; ${later}\n`);
    return finished.problems;
  }
};
