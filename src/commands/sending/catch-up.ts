/** A run whose journal is older than what the service holds: its folder was restored from a copy. */
import type { State } from "../../bulk/protocol/state.ts";
import type { RunFile } from "../../bulk/run-file.ts";
import type { RunStore } from "../../bulk/run-folder.ts";
import { summaryOf } from "../../bulk/summary.ts";
import type { Context } from "../../context.ts";
import { stateOf } from "./run-state.ts";
import { stoppedAgain } from "./stopped-again.ts";

/**
 * Brings the journal up to date before the first request that creates or sends, for the one process that
 * holds the run's lock. One read where nothing is newer. Throws MsgError: without an answer nothing is sent.
 */
export const catchUp = async (ctx: Context, store: RunStore, run: RunFile): Promise<void> => {
  const state = stateOf(store, run);
  if (state?.ended || run.path !== "G" || !run.tagged) return;
  try {
    await rebuildOlder(ctx, store, run, state);
  } catch (error) {
    throw stoppedAgain(error, run, summaryOf(run, state));
  }
};

const rebuildOlder = async (
  ctx: Context,
  store: RunStore,
  run: RunFile,
  state: State | undefined,
): Promise<void> => {
  // Only a run that is gone on with needs it.
  const { isOlderThanService } = await import("../../reconcile/newer-truth.ts");
  if (!(await isOlderThanService(await ctx.client(), store, run, state))) return;
  const { rebuild } = await import("../../reconcile/rebuild.ts");
  const kept = await rebuild(ctx, store, run);
  const { accepted, notSent } = summaryOf(run, stateOf(store, run));
  const was = kept === undefined ? "" : `; what it said is kept as ${kept}`;
  await ctx.note(
    `the journal of run ${run.run} was older than what the service holds (restored from a copy?), and is rebuilt: ${accepted} accepted, ${notSent} not sent${was}`,
  );
};
