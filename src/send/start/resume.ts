/** Whether a planned run may be begun or gone on with now; what a person is shown and asked before that. */

import type { Ports } from "../../ports.ts";
import { assertResumeAllowed, confirmRun } from "../guards/guards.ts";
import type { Limits } from "../guards/spending.ts";
import { assertApproved } from "../plan-file/approval.ts";
import { showRest } from "../report/panel.ts";
import { hourProblem } from "../run/hours.ts";
import type { RunFile } from "../store/run-file.ts";
import { isWorkedOn, type RunStore } from "../store/run-folder.ts";
import { readState } from "../store/run-state.ts";
import { type Summary, summarize } from "../store/summary.ts";
import { assertNotSentBefore } from "./begin.ts";
import { resumedStopError } from "./stopped-again.ts";

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
  const isAsked = isLeft && !(await isWorkedOn(store, run.run));
  if (isAsked) assertNotSentBefore(ctx, store, run, { again: flags.again === true });
  try {
    const late = await hourProblem(ctx, run);
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
  await showRest(ctx, store, run, rest);
  await confirmRun(ctx, run, rest);
};
