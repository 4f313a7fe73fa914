/** A run whose journal is older than what the service holds: its folder was restored from a copy. */

import { MsgError } from "../../errors.ts";
import { t } from "../../locale/locale.ts";
import { formatFigure } from "../../message/price.ts";
import type { Ports } from "../../ports.ts";
import type { State } from "../protocol/state.ts";
import { stoppedUnknownError } from "../report/ending.ts";
import type { RunFile } from "../store/run-file.ts";
import type { RunStore } from "../store/run-folder.ts";
import { readState } from "../store/run-state.ts";
import { summarize } from "../store/summary.ts";
import { resumedStopError } from "./stopped-again.ts";

/**
 * Brings the journal up to date before the first request that creates or sends, for the one process that
 * holds the run's lock. One read where nothing is newer. Throws MsgError: without an answer nothing is sent.
 */
export const catchUp = async (ctx: Ports, store: RunStore, run: RunFile): Promise<void> => {
  const state = readState(store, run);
  if (state?.ended || !run.tagged) return;
  if (!(await isOlder(ctx, store, run, state))) return;
  const { rebuild } = await import("../reconcile/rebuild/rebuild.ts");
  const kept = await rebuild(ctx, store, run).catch((error: unknown) => {
    throw stillOlder(error, run);
  });
  const { accepted, notSent } = summarize(run, readState(store, run));
  const counts = [formatFigure(accepted), formatFigure(notSent)] as const;
  await ctx.note(
    kept === undefined
      ? t`the journal of run ${run.run} was older than what the service holds (restored from a copy?), and was rebuilt: ${counts[0]} accepted, ${counts[1]} not sent`
      : t`the journal of run ${run.run} was older than what the service holds (restored from a copy?), and was rebuilt: ${counts[0]} accepted, ${counts[1]} not sent; the old one is kept as ${kept}`,
  );
};

/** Only a run that is gone on with needs to load what looks. */
const isOlder = async (
  ctx: Ports,
  store: RunStore,
  run: RunFile,
  state: State | undefined,
): Promise<boolean> => {
  const { isOlderThanService } = await import("../reconcile/rebuild/newer-truth.ts");
  try {
    return await isOlderThanService(await ctx.session.client(), store, run, state);
  } catch (error) {
    throw resumedStopError(error, run, summarize(run, state));
  }
};

/** What the journal counts is known to be wrong now. */
const stillOlder = (error: unknown, { run }: RunFile): unknown =>
  error instanceof MsgError
    ? stoppedUnknownError(error, {
        what: t`the journal of run ${run} is older than what the service holds, and could not be rebuilt`,
        where: error.where,
        todo: t`nothing more was sent; try again: msg send-many --resume ${run}`,
      })
    : error;
