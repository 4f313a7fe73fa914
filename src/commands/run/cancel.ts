import { tool } from "../../cli/command.ts";
import type { Context } from "../../cli/context.ts";
import { duration, text } from "../../contract/fields.ts";
import { deleteGroup, listGroups, readGroup, unscheduleGroup } from "../../contract/groups.ts";
import { listMessages } from "../../contract/messages.ts";
import { t } from "../../locale/locale.ts";
import { formatFigure, formatMessageCount } from "../../message/price.ts";
import type { Result } from "../../output/view.ts";
import { findOwnRun } from "../../send/guards/own-run.ts";
import { canBeCancelled, isOnSchedule } from "../../send/protocol/group-status.ts";
import type { State } from "../../send/protocol/state.ts";
import { resultOf, summaryColumns, tooLateError } from "../../send/report/ending.ts";
import { runFields, runRecord } from "../../send/report/run-record.ts";
import { reconcileMsOf } from "../../send/start/run-flags.ts";
import { workOnRun } from "../../send/start/work.ts";
import { storeOf } from "../../send/store/run-folder.ts";
import { readState, type Summary } from "../../send/store/summary.ts";

/** How long a deletion without an answer is repeated. */
const defaultReconcileMs = 60_000;

export default tool({
  additionalEndpoints: [unscheduleGroup, deleteGroup, readGroup, listGroups, listMessages],
  writes: true,
  args: { run: text("id of the run, or last") },
  flags: { settle: duration("how long to retry a deletion without an answer; default: 60s") },
  columns: summaryColumns,
  fields: [...runFields, "method", "body"],
  examples: ["msg run cancel last", "msg run cancel last -n", "msg run cancel last --json"],
  run: async (ctx, { args, flags }) => {
    const store = storeOf(ctx);
    const run = await findOwnRun(ctx, args.run);
    const reconcileMs = reconcileMsOf(flags.settle, defaultReconcileMs);
    const state = readState(store, run);
    if (state?.ended && !state.groups.some((it) => canBeCancelled(state, it))) {
      const record = runRecord(store, run);
      await reportCancelled(ctx, record);
      return { record, ending: lateOf(record) };
    }
    if (ctx.consent.dryRun) return previewCancellation(ctx, state);
    const how = { reconcileMs, again: true, goal: "finish" } as const;
    const finished = await workOnRun(ctx, run, { ...how, first: [{ t: "CANCEL" }] });
    await reportCancelled(ctx, finished.summary);
    return resultOf(run, finished);
  },
});

/** A run that was cancelled before is already as requested. */
const lateOf = (summary: Summary) =>
  summary.state === "cancelled" ? undefined : tooLateError(summary);

/** Reports what the figures alone do not say. */
const reportCancelled = async (
  ctx: Context,
  { run, state, accepted, notSent }: Summary,
): Promise<void> => {
  if (state !== "cancelled" && state !== "done") return;
  const cancelled = formatMessageCount(notSent);
  if (notSent > 0)
    await ctx.note(
      accepted > 0
        ? t`${cancelled} cancelled, ${formatFigure(accepted)} accepted before; cancelled rows: msg run export ${run} --status not-sent`
        : t`${cancelled} cancelled; their rows: msg run export ${run} --status not-sent`,
    );
  else if (accepted === 0)
    await ctx.note(t`the run is over and sent nothing; there is nothing to cancel`);
};

/** The requests that would be made; nothing is recorded. */
const previewCancellation = async (ctx: Context, state: State | undefined): Promise<Result> => {
  const groups = state?.groups.filter((it) => canBeCancelled(state, it)) ?? [];
  const rows = groups.flatMap((group) =>
    [...(state && isOnSchedule(state, group) ? [unscheduleGroup] : []), deleteGroup].map((it) => ({
      method: it.method,
      path: it.path.replace(":groupId", group.id ?? ""),
      body: null,
    })),
  );
  if (rows.length === 0) await ctx.note(t`no group is open; no request would be made`);
  return { rows, columns: ["method", "path", "body"] };
};
