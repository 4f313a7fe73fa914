/** Works on a run whose first messages go out alone: waits what becomes of them before the others follow. */

import { MsgError } from "../../errors.ts";
import { t } from "../../locale/locale.ts";
import { formatMessageCount } from "../../message/price.ts";
import type { Ports } from "../../ports.ts";
import type { Entry } from "../protocol/entries.ts";
import type { RunFlags } from "../start/run-flags.ts";
import { type RunResult, type WorkOptions, workOnRun } from "../start/work.ts";
import { openJournal } from "../store/journal.ts";
import { leasedJournal } from "../store/leased-journal.ts";
import type { Canary, RunFile } from "../store/run-file.ts";
import { fileOf, type RunStore, withRunLock } from "../store/run-folder.ts";
import { readState } from "../store/run-state.ts";
import { assertJudged, type CanaryFlags, maxFailedOf, withFlags } from "./canary-flags.ts";
import { describeCanary, type Outcome, showCanary, watchCanary } from "./watch-canary.ts";

/** As `workOnRun` does; one that is held ends with the reason for it, and its rest was not sent. */
export const workPastCanary = async (
  ctx: Ports,
  store: RunStore,
  run: RunFile,
  options: WorkOptions,
  flags: CanaryFlags & Pick<RunFlags, "once">,
): Promise<RunResult> => {
  if (!run.canary) return workOnRun(ctx, store, run, options);
  const canary = withFlags(run.canary, flags);
  const before = readState(store, run)?.canary ?? "open";
  // Held once, it goes on when the operator names the run. A line with --once names none, and scripts repeat it.
  const first = before === "held" && flags.once === undefined ? [passed] : [];
  if (before !== "passed" && first.length === 0) assertJudged(ctx, canary.maxFailed);
  const finished = await workOnRun(ctx, store, run, withFirst(options, first));
  if (finished.ending.type !== "canary") return finished;
  const stop = await judge(ctx, store, run, canary, finished);
  if (stop) return { ...finished, ...stop };
  const { check: _, ...rest } = options;
  return workOnRun(ctx, store, run, { ...withFirst(rest, [passed]), isNew: false });
};

const passed: Entry = { t: "CANARY", passed: true };

const withFirst = (options: WorkOptions, first: readonly Entry[]): WorkOptions =>
  first.length === 0 ? options : { ...options, first: [...(options.first ?? []), ...first] };

type Stop = Pick<RunResult, "ending" | "error">;

/** Undefined where the rest may go out. What was judged is written down; what was not is waited for anew. */
const judge = async (
  ctx: Ports,
  store: RunStore,
  run: RunFile,
  canary: Canary,
  { state, summary }: RunResult,
): Promise<Stop | undefined> => {
  try {
    const outcome = await watchCanary(ctx, canary, state);
    if (ctx.signal.aborted) return interrupted;
    await showCanary(ctx, outcome);
    const why = await findObjection(ctx, canary, outcome, summary.notSent);
    if (why === undefined) return undefined;
    if (outcome.pending === 0 || ctx.ask) await hold(store, run);
    return { ending: { type: "canary" }, error: held(run, why, summary.notSent) };
  } catch (error) {
    if (!(error instanceof MsgError) || error.kind === "fault") throw error;
    if (error.kind === "interrupted") return interrupted;
    const why = t`the outcome of its canary could not be read: ${error.message}`;
    return { ending: { type: "canary" }, error: held(run, why, summary.notSent) };
  }
};

const interrupted: Stop = { ending: { type: "interrupted" }, error: undefined };

/** Why the rest is not to go out; undefined where it is. */
const findObjection = async (
  { ask }: Ports,
  { maxFailed }: Canary,
  outcome: Outcome,
  left: number,
): Promise<string | undefined> => {
  const said = describeCanary(outcome);
  if (maxFailed !== undefined) {
    const { failed, pending, messages } = outcome;
    if (failed > maxFailedOf(maxFailed, messages))
      return t`${said}, and at most ${maxFailed} may fail`;
    // Those on the way may fail still.
    const isLate = failed + pending > maxFailedOf(maxFailed, messages);
    return isLate ? t`${said}, and the time to wait is over` : undefined;
  }
  const goesOn = await ask?.confirm(t`Send the other ${formatMessageCount(left)}?`);
  return goesOn ? undefined : t`${said}, and you declined to send the rest`;
};

const held = ({ run }: RunFile, why: string, left: number): MsgError =>
  new MsgError("stopped", t`the run stopped at its canary: ${why}`, {
    code: "CanaryHeld",
    where: t`run ${run}`,
    todo: t`${formatMessageCount(left)} not sent; msg send-many --resume ${run} sends the rest, msg run cancel ${run} cancels it`,
    outcome: "partial",
  });

/** The next who goes on with it does so knowingly: it is not judged once more. */
const hold = (store: RunStore, { run }: RunFile): Promise<void> =>
  withRunLock(store, run, async (lease) => {
    const opened = openJournal(store.files, fileOf(store, run, "journal.log"));
    const journal = leasedJournal(opened, lease);
    try {
      journal.append([{ t: "CANARY", passed: false }]);
    } finally {
      journal.close();
    }
  });
