/** What a command says of a run that has come to an end, or came to it before. */

import { MsgError, type Problem, toMsgError } from "../../errors.ts";
import { t } from "../../locale/locale.ts";
import { formatFigure } from "../../message/price.ts";
import { sanitize } from "../../output/text/safe.ts";
import type { Result } from "../../output/view.ts";
import type { Ports } from "../../ports.ts";
import type { State } from "../protocol/state.ts";
import { noteSent } from "../start/once.ts";
import { type RunResult, resultOf } from "../start/work.ts";
import type { RunFile } from "../store/run-file.ts";
import type { RunStore } from "../store/run-folder.ts";
import { summarize } from "../store/summary.ts";
import { goneError, unscheduledError } from "./ending.ts";
import { nextStep } from "./next-step.ts";
import { type ResultsFile, refusedOf, writeResults } from "./results.ts";
import { summaryColumns } from "./summary-columns.ts";

/** A run that is over: nothing is sent. Under a key it ends as it did when it was sent. */
export const tellEnded = async (
  ctx: Ports,
  store: RunStore,
  run: RunFile,
  state: State,
  results: ResultsFile | undefined,
): Promise<Result & { readonly ending?: MsgError | undefined }> => {
  const summary = summarize(run, state);
  const over = {
    state,
    summary,
    ending: { type: "done" },
    error: undefined,
    problems: [],
  } as const;
  if (run.once === undefined && results) await writeResults(ctx, store, run, state, results);
  if (summary.state === "unscheduled")
    return { record: summary, columns: summaryColumns, ending: unscheduledError(run, summary) };
  if (run.once === undefined) {
    const next = nextStep(run, summary);
    const over = t`the run had already ended: nothing was sent now`;
    await ctx.note(next === undefined ? over : t`${over}; ${next}`);
    const isGone = summary.notSent > 0 && !state.cancel;
    const ending = isGone ? goneError(run, summary) : undefined;
    return { record: summary, columns: summaryColumns, ending };
  }
  const ending = cancelledBefore(run, { ending: { type: "cancelled" }, summary });
  if (state.cancel && ending) return { record: summary, columns: summaryColumns, ending };
  await noteSent(ctx, run, state);
  return resultOf(run, { ...over, problems: await tellRows(ctx, store, run, over, results) });
};

/** Whoever asked for it to be sent must not take it for sent. */
export const cancelledBefore = (
  { run }: RunFile,
  { ending, summary }: Pick<RunResult, "ending" | "summary">,
): MsgError | undefined => {
  if (ending.type !== "cancelled" || summary.notSent === 0) return undefined;
  return new MsgError(
    "stopped",
    t`the run was cancelled: ${formatFigure(summary.notSent)} not sent`,
    {
      code: "Cancelled",
      where: t`run ${run}`,
      todo: t`list the rows: msg run export ${run} --status not-sent`,
      outcome: summary.accepted > 0 ? "partial" : "not_sent",
    },
  );
};

/** Reads what became of single rows. What was sent stays sent where that cannot be read. */
export const tellRows = async (
  ctx: Ports,
  store: RunStore,
  run: RunFile,
  finished: RunResult,
  results: ResultsFile | undefined,
): Promise<readonly Problem[]> => {
  const later = t`msg send-many --resume ${run.run} --results <file> reads them, and sends nothing`;
  try {
    // Whoever presses Ctrl-C is not kept waiting for what can be read later.
    if (ctx.signal.aborted) throw new MsgError("interrupted", t`interrupted`);
    if (results) await writeResults(ctx, store, run, finished.state, results);
    return await refusedOf(ctx, finished);
  } catch (error) {
    results?.discard();
    const { message, kind } = toMsgError(error);
    if (results || kind !== "interrupted")
      await ctx.io.err.write(`${t`some rows could not be read: ${sanitize(message)}; ${later}`}\n`);
    return finished.problems;
  }
};
