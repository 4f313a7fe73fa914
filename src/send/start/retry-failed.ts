/** `--retry-failed`: the rows that a run was refused, as the source of another one. */

import { MsgError, usageError } from "../../errors.ts";
import type { Ports } from "../../ports.ts";
import type { Source } from "../plan/plan-run.ts";
import { nextStep } from "../report/next-step.ts";
import { refusedLines } from "../report/rows-by-status.ts";
import type { RunFile } from "../store/run-file.ts";
import type { RunStore } from "../store/run-folder.ts";
import { readState } from "../store/run-state.ts";
import { type Summary, summarize } from "../store/summary.ts";
import { findOwnRun } from "./own-run.ts";
import type { RunFlags } from "./run-flags.ts";

/** What held for the rows holds for them still: strictness, the hours of advertising, several for one number. */
export const planFailedRows = async (
  ctx: Ports,
  store: RunStore,
  named: string,
  { ad, strict, dedupe, ...flags }: RunFlags,
): Promise<{ readonly source: Source; readonly flags: RunFlags }> => {
  const run = await findOwnRun(ctx, store, named);
  const state = readState(store, run);
  const summary = summarize(run, state);
  if (summary.refused > 0 && !state?.ended && summary.notSent + summary.unknown > 0)
    throw notOver(run, summary);
  if (summary.refused === 0)
    throw usageError(`run ${run.run} was refused no row`, {
      code: "NoRows",
      todo: `nothing was sent; msg run show ${run.run} shows what became of it`,
    });
  const lines = refusedLines(ctx, store, run);
  return {
    source: { name: `what run ${run.run} was refused`, retried: { run: run.run, lines } },
    flags: {
      ...flags,
      ad: ad ?? run.isAdvertising,
      strict: strict ?? (run.strict || undefined),
      dedupe: dedupe ?? (run.allowDuplicates ? "off" : undefined),
    },
  };
};

/** Its refused rows are sent anew once: those that are refused later would be left. */
const notOver = (run: RunFile, summary: Summary): MsgError =>
  new MsgError("stopped", `run ${run.run} is not over: more of its rows may be refused`, {
    code: "RunOpen",
    where: `run ${run.run}`,
    todo: `nothing was sent; ${nextStep(run, summary) ?? `msg run show ${run.run}`}`,
  });
