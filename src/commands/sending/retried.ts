/** `--retry-failed`: the rows that a run was refused, as the source of another one. */
import type { RunFile } from "../../bulk/run-file.ts";
import type { RunStore } from "../../bulk/run-folder.ts";
import { type Summary, summaryOf } from "../../bulk/summary.ts";
import type { Context } from "../../context.ts";
import { MsgError, usage } from "../../errors.ts";
import { nextStep } from "../run/next.ts";
import { ownRun } from "./own-run.ts";
import type { Source } from "./plan.ts";
import { refusedLines } from "./refused.ts";
import type { RunFlags } from "./run-flags.ts";
import { stateOf } from "./run-state.ts";

/** What held for the rows holds for them still: strictness, the hours of advertising, several for one number. */
export const retried = async (
  ctx: Context,
  store: RunStore,
  named: string,
  { ad, strict, dedupe, ...flags }: RunFlags,
): Promise<{ readonly source: Source; readonly flags: RunFlags }> => {
  const run = await ownRun(ctx, store, named);
  const state = stateOf(store, run);
  const summary = summaryOf(run, state);
  if (summary.refused > 0 && !state?.ended && summary.notSent + summary.unknown > 0)
    throw notOver(run, summary);
  if (summary.refused === 0)
    throw usage(`run ${run.run} was refused no row`, {
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
