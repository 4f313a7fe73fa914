/** `--retry-refused`, `--retry-failed`: rows that were refused, or did not arrive, as the source of another run. */

import { MsgError, usageError } from "../../errors.ts";
import { t } from "../../locale/locale.ts";
import { formatMessageCount } from "../../message/price.ts";
import type { Ports } from "../../ports.ts";
import type { Source } from "../plan/read-source.ts";
import { nextStep } from "../report/next-step.ts";
import { retriedRows } from "../report/rows/input-rows.ts";
import type { RunFile } from "../store/run-file.ts";
import type { RunStore } from "../store/run-folder.ts";
import { readState } from "../store/run-state.ts";
import { type Summary, summarize } from "../store/summary.ts";
import { readDelivered } from "../wait/wait-run.ts";
import { findOwnRun } from "./own-run.ts";
import type { RunFlags } from "./run-flags.ts";

/** What held for the rows holds for them still: strictness, the hours of advertising, several for one number. */
export const planRetry = async (
  ctx: Ports,
  store: RunStore,
  named: string,
  { ad, strict, dedupe, ...flags }: RunFlags,
): Promise<{ readonly source: Source; readonly flags: RunFlags }> => {
  const run = await findOwnRun(ctx, store, named);
  const state = readState(store, run);
  const summary = summarize(run, state);
  const retry = { ...flags, ad, strict, dedupe };
  if (flags.retryFailed !== undefined) return planFailed(ctx, store, run, retry);
  if (summary.refused > 0 && !state?.ended && summary.notSent + summary.unknown > 0)
    throw notOver(run, summary);
  if (summary.refused === 0)
    throw usageError(t`run ${run.run} has no refused rows`, {
      code: "NoRows",
      todo: t`nothing was sent; msg run show ${run.run} shows what became of it`,
    });
  return sourceOf(ctx, store, run, retry, "refused");
};

/** What is on the way may arrive still: nothing is sent anew before it is known. */
const planFailed = async (
  ctx: Ports,
  store: RunStore,
  run: RunFile,
  flags: RunFlags,
): ReturnType<typeof planRetry> => {
  const { failed, pending } = await readDelivered(ctx, summarize(run, readState(store, run)));
  if (pending > 0)
    throw new MsgError("stopped", t`${formatMessageCount(pending)} of the run still on the way`, {
      code: "RunPending",
      where: t`run ${run.run}`,
      todo: t`nothing was sent; wait for the delivery results: msg send-many --resume ${run.run} --wait`,
    });
  if (failed === 0)
    throw usageError(t`every message of run ${run.run} arrived`, {
      code: "NoRows",
      todo: t`nothing was sent; resend refused rows: msg send-many --retry-refused ${run.run}`,
    });
  return sourceOf(ctx, store, run, flags, "failed");
};

const sourceOf = (
  ctx: Ports,
  store: RunStore,
  run: RunFile,
  { ad, strict, dedupe, ...flags }: RunFlags,
  status: "refused" | "failed",
) => ({
  source: {
    name: `what of run ${run.run} ${status === "refused" ? "was refused" : "did not arrive"}`,
    retried: {
      run: run.run,
      rows: retriedRows(ctx, store, run, status),
      flags: run.input?.flags ?? [],
    },
  },
  flags: {
    ...flags,
    ad: ad ?? run.isAdvertising,
    strict: strict ?? (run.strict || undefined),
    dedupe: dedupe ?? (run.allowDuplicates ? ("off" as const) : undefined),
  },
});

/** Its refused rows are sent anew once: those that are refused later would be left. */
const notOver = (run: RunFile, summary: Summary): MsgError =>
  new MsgError("stopped", t`run ${run.run} is not finished: more of its rows may be refused`, {
    code: "RunOpen",
    where: t`run ${run.run}`,
    todo: t`nothing was sent; ${nextStep(run, summary) ?? `msg run show ${run.run}`}`,
  });
