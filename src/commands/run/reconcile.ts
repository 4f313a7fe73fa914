import * as v from "valibot";
import { tool } from "../../cli/command.ts";
import type { Context } from "../../cli/context.ts";
import { duration, list, text } from "../../contract/fields.ts";
import { deleteGroup, listGroups, readGroup } from "../../contract/groups.ts";
import { listMessages } from "../../contract/messages.ts";
import { MsgError, type Problem } from "../../errors.ts";
import { t } from "../../locale/locale.ts";
import { formatMessageCount } from "../../message/price.ts";
import type { Result } from "../../output/view.ts";
import { type OperatorAnswers, openCalls } from "../../reconcile/unknown-calls.ts";
import { openGroups } from "../../reconcile/unknown-groups.ts";
import type { Entry } from "../../send/protocol/entries.ts";
import { isAnyWaiting } from "../../send/protocol/group-status.ts";
import type { State } from "../../send/protocol/state.ts";
import { resultOf, summaryColumns } from "../../send/report/ending.ts";
import { nextStep } from "../../send/report/next-step.ts";
import { withResent } from "../../send/report/results.ts";
import { runFields, runRecord } from "../../send/report/run-record.ts";
import { serviceTime } from "../../send/run/hours.ts";
import { resumedStopError } from "../../send/start/begin.ts";
import { repairRun } from "../../send/start/repair.ts";
import { reconcileMsOf } from "../../send/start/run-flags.ts";
import { workOnRun } from "../../send/start/work.ts";
import type { RunFile } from "../../send/store/run-file.ts";
import { storeOf } from "../../send/store/run-folder.ts";
import { readJournalState, readState, type Summary, summarize } from "../../send/store/summary.ts";

/** Reads of the service in close succession see the same. */
const defaultReconcileMs = 10_000;
/** How long a deletion without an answer is repeated. */
const deletingMs = 60_000;

export default tool({
  additionalEndpoints: [listMessages, readGroup, listGroups, deleteGroup],
  writes: true,
  args: { run: text("id of the run, or last") },
  flags: {
    accepted: v.optional(
      list(
        text("a part"),
        "a part that you know was accepted: 1, or 1=<groupId>; for a run of groups a groupId",
      ),
    ),
    notSent: v.optional(
      list(
        text("a part"),
        "a part that you know was not sent: 1; or a groupId that the service no longer has",
      ),
    ),
    settle: duration("how long to check; default: 10s"),
  },
  columns: summaryColumns,
  fields: runFields,
  examples: [
    "msg run reconcile last",
    "msg run reconcile last --json",
    "msg run reconcile last --accepted 1 --not-sent 2",
    "msg run reconcile last --accepted 1 -n",
  ],
  run: async (ctx, { args, flags }) => {
    const reconcileMs = reconcileMsOf(flags.settle, defaultReconcileMs);
    const store = storeOf(ctx);
    const { run, isDamaged } = await repairRun(ctx, args.run);
    if (isDamaged) return { record: runRecord(store, run) };
    const before = readState(store, run);
    const isScheduled = before && isAnyWaiting(before);
    if (before === undefined || (before.ended && !isScheduled)) return finalResult(ctx, run);
    if (ctx.consent.dryRun) return previewAnswers(ctx, run, flags);
    const how = { reconcileMs, again: false, goal: "reconcile" } as const;
    const reconciled = await workOnRun(ctx, run, how);
    const { state, records: since } = readJournalState(store, run);
    const open = await openOf(ctx, run, state);
    const first = await open.answers(flags);
    const finished =
      first.length === 0
        ? reconciled
        : await workOnRun(ctx, run, { ...how, ...reconcileTimeFor(first), first, since });
    const { summary } = finished;
    const last = readJournalState(store, run);
    if (hasNoOpenRows(run, last.state) && !last.state.ended)
      await workOnRun(ctx, run, { ...how, first: [{ t: "END" }], since: last.records });
    // Unsent rows are not a failure here: nothing was to be sent.
    if (finalEndings.has(finished.ending.type) && summary.unknown === 0)
      return finalResult(ctx, run);
    const left = open.left(finished.state);
    const result = resultOf(run, finished);
    if (left.length === 0) return result;
    return { ...result, ending: unknownError(summary, left, open.todo) };
  },
});

const finalResult = async (ctx: Context, run: RunFile): Promise<Result> => {
  const store = storeOf(ctx);
  const record = await withResent(ctx, readState(store, run), runRecord(store, run));
  const next = nextStep(run, record, await serviceTime(ctx));
  await ctx.note(next === undefined ? t`nothing is unclear` : t`nothing is unclear; ${next}`);
  return { record };
};

/** Checks the operator's decisions against what the service shows, without recording them. */
const previewAnswers = async (
  ctx: Context,
  run: RunFile,
  given: OperatorAnswers,
): Promise<Result> => {
  const store = storeOf(ctx);
  const { state } = readJournalState(store, run);
  const open = await openOf({ ...ctx, ask: undefined }, run, state);
  const answers = await open.answers(given);
  const record = runRecord(store, run);
  if (answers.length > 0) await ctx.note(t`dry run: these answers are valid; nothing was recorded`);
  else if (record.unknown > 0)
    return { record, ending: unknownError(record, open.left(state), open.todo) };
  return { record };
};

/** The journal now shows no open or unknown row: another process may be cancelling scheduled groups. */
const hasNoOpenRows = (run: RunFile, state: State): boolean => {
  const { unknown, notSent } = summarize(run, state);
  return unknown + notSent === 0;
};

const finalEndings: ReadonlySet<string> = new Set(["done", "cancelled"]);

/** The operator's decisions are recorded as they are; only a deletion asks the service again. */
const reconcileTimeFor = (answers: readonly Entry[]): { readonly reconcileMs: number } => ({
  reconcileMs: answers.some((it) => it.t === "CANCEL") ? deletingMs : 0,
});

/** That the service cannot be asked now says nothing about what was sent. */
const openOf = async (ctx: Context, run: RunFile, state: State) => {
  try {
    return await (run.path === "G" ? openGroups(ctx, run, state) : openCalls(ctx, run, state));
  } catch (error) {
    throw resumedStopError(error, run, summarize(run, state));
  }
};

const unknownError = (summary: Summary, details: readonly Problem[], todo: string): MsgError =>
  new MsgError("unknown", t`${formatMessageCount(summary.unknown)} may or may not have been sent`, {
    where: t`run ${summary.run}`,
    todo,
    details,
  });
