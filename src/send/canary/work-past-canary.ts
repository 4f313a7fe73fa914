/** Works on a run that has a canary: waits for its outcome before the other messages follow. */

import type { Client } from "../../client/client.ts";
import type { Group, StoredMessage } from "../../contract/message-records.ts";
import { listMessages } from "../../contract/messages.ts";
import { MsgError, usageError } from "../../errors.ts";
import { t } from "../../locale/locale.ts";
import { failedOnly } from "../../message/failures.ts";
import { formatFigure, formatMessageCount } from "../../message/price.ts";
import { isFailure, statusMeaning } from "../../message/status.ts";
import type { Ports } from "../../ports.ts";
import type { Entry } from "../protocol/entries.ts";
import { overlap } from "../protocol/row-ranges.ts";
import { firstRow, type State, wasSent } from "../protocol/state.ts";
import type { RunResult } from "../report/ending.ts";
import { resumedStopError } from "../start/begin.ts";
import type { RunFlags } from "../start/run-flags.ts";
import { type WorkOptions, workOnRun } from "../start/work.ts";
import { openJournal } from "../store/journal.ts";
import type { Canary, RunFile } from "../store/run-file.ts";
import { fileOf, type RunStore, storeOf } from "../store/run-folder.ts";
import { leasedJournal, withRunLock } from "../store/run-lock.ts";
import { readState, summarize } from "../store/summary.ts";
import { failedIn, isDecided, pollWithProgress, sumIn } from "../wait/group-delivery.ts";
import { codeInPlaceOf, readInPlace } from "../wait/in-place.ts";
import { readGroups } from "../wait/wait-run.ts";
import { type CanaryFlags, maxFailedOf, overrideCanary, undecidableError } from "./plan-canary.ts";

/** Like `workOnRun`. A run that is held ends with the reason; the rest of it was not sent. */
export const workPastCanary = async (
  ctx: Ports,
  run: RunFile,
  options: WorkOptions,
  flags: CanaryFlags & Pick<RunFlags, "once">,
): Promise<RunResult> => {
  const { canary: rows, canaryTo, canaryWithin, canaryMaxFailed } = flags;
  const isAsked = (rows ?? canaryTo ?? canaryWithin ?? canaryMaxFailed) !== undefined;
  if (!run.canary && isAsked) throw noCanaryError(run);
  if (!run.canary) return workOnRun(ctx, run, options);
  const canary = overrideCanary(run.canary, flags);
  const state = readState(storeOf(ctx), run);
  const before = state?.canary ?? "open";
  // A failed one does not stop an operator who names the run. A command with --once names none, and scripts repeat it.
  const first = before === "failed" && flags.once === undefined ? [passed] : [];
  const isOpen = before !== "passed" && first.length === 0;
  const undecidable = isOpen ? undecidableError(ctx, canary.maxFailed) : undefined;
  if (undecidable) throw resumedStopError(undecidable, run, summarize(run, state));
  const finished = await workOnRun(ctx, run, withFirst(options, first));
  if (finished.ending.type !== "canary") return finished;
  const stop = await judge(ctx, run, canary, finished);
  if (stop) return { ...finished, ...stop };
  const { check: _, ...rest } = options;
  return workOnRun(ctx, run, { ...withFirst(rest, [passed]), isNew: false });
};

/** A plan, or a run that was begun before, keeps the flags that it was made with. */
const noCanaryError = ({ run }: RunFile): MsgError =>
  usageError(t`run ${run} was made without a canary`, {
    where: t`run ${run}`,
    todo: t`nothing was sent now; without the flags of a canary all of it is sent at once`,
  });

const passed: Entry = { t: "CANARY", passed: true };

const withFirst = (options: WorkOptions, first: readonly Entry[]): WorkOptions =>
  first.length === 0 ? options : { ...options, first: [...(options.first ?? []), ...first] };

type Stop = Pick<RunResult, "ending" | "error">;

/** Undefined if the rest may be sent. A decision is written down; without one the next start waits again. */
const judge = async (
  ctx: Ports,
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
    const isDecided = outcome.pending === 0 || canary.maxFailed === undefined;
    if (isDecided) await recordFailed(storeOf(ctx), run);
    return { ending: { type: "canary" }, error: canaryError(run, why, summary.notSent, isDecided) };
  } catch (error) {
    if (!(error instanceof MsgError) || error.kind === "fault") throw error;
    if (error.kind === "interrupted") return interrupted;
    const why = t`the outcome of its canary could not be read: ${error.message}`;
    return { ending: { type: "canary" }, error: canaryError(run, why, summary.notSent, false) };
  }
};

const interrupted: Stop = { ending: { type: "interrupted" }, error: undefined };

/** Why the rest may not be sent; undefined if it may. */
const findObjection = async (
  { ask }: Ports,
  { maxFailed }: Canary,
  outcome: CanaryOutcome,
  left: number,
): Promise<string | undefined> => {
  const said = describeCanary(outcome);
  if (maxFailed !== undefined) {
    const { failed, pending, messages } = outcome;
    if (failed > maxFailedOf(maxFailed, messages))
      return t`${said}, and at most ${maxFailed} may fail`;
    // Those on the way may still fail.
    const isLate = failed + pending > maxFailedOf(maxFailed, messages);
    return isLate ? t`${said}, and the time to wait is over` : undefined;
  }
  const isConfirmed = await ask?.confirm(t`Send the other ${formatMessageCount(left)}?`);
  return isConfirmed ? undefined : t`${said}, and you declined to send the rest`;
};

const canaryError = ({ run }: RunFile, why: string, left: number, isDecided: boolean): MsgError => {
  const unsent = formatMessageCount(left);
  return new MsgError("stopped", t`the run stopped at its canary: ${why}`, {
    code: "CanaryHeld",
    where: t`run ${run}`,
    todo: isDecided
      ? t`${unsent} not sent; msg send-many --resume ${run} sends the rest, msg run cancel ${run} cancels it`
      : t`${unsent} not sent; msg send-many --resume ${run} waits for the canary again, msg run cancel ${run} cancels it`,
    outcome: "partial",
  });
};

/** The operator who resumes it next has seen the result: it is not judged again. */
const recordFailed = (store: RunStore, { run }: RunFile): Promise<void> =>
  withRunLock(store, run, async (lease) => {
    const opened = openJournal(store.files, fileOf(store, run, "journal.log"));
    const journal = leasedJournal(opened, lease);
    try {
      journal.append([{ t: "CANARY", passed: false }]);
    } finally {
      journal.close();
    }
  });

type CanaryOutcome = ReturnType<typeof outcomeOf>;

/** Waits until each was delivered or failed, or the time is over. Throws what the client throws. */
const watchCanary = async (ctx: Ports, canary: Canary, state: State): Promise<CanaryOutcome> => {
  const messages = firstRow(state.shape, canary.to) - firstRow(state.shape, canary.from);
  const ids = groupsOf(canary, state);
  const ask = async () => {
    const groups = await readGroups(ctx, ids);
    return { value: outcomeOf(groups, messages), done: groups.every(isDecided) };
  };
  const { value } = await pollWithProgress(ctx, canary.withinMs, ask, describeCanary);
  return value.failed === 0 ? value : { ...value, codes: await readCodes(ctx, ids) };
};

/** Its own groups, and those of other runs that took over its rows. */
const groupsOf = ({ from, to }: Canary, { shape, groups, taken }: State): readonly string[] => {
  const canary = [{ from: firstRow(shape, from), to: firstRow(shape, to) }];
  const own = groups.filter((it) => wasSent(it) && it.chunks.some((at) => at >= from && at < to));
  const others = taken.filter(({ rows }) => overlap(rows, canary));
  return [...new Set([...own, ...others].flatMap(({ id }) => (id ? [id] : [])))];
};

const outcomeOf = (groups: readonly Group[], planned: number) => {
  // Another run may have sent the rows in a group with more of them.
  const held = sumIn(groups, (it) => it.registeredSuccess + it.registeredFailed);
  const messages = Math.max(planned, held);
  const delivered = sumIn(groups, ({ sentSuccess }) => sentSuccess);
  const isWhole = groups.length > 0 && groups.every(({ status }) => status === "FAILED");
  // Those that the service refused are among them.
  const failed = isWhole ? messages : sumIn(groups, (it) => it.registeredFailed + failedIn(it));
  const pending = Math.max(0, messages - delivered - failed);
  return { messages, delivered, failed, pending, codes: new Map<string, number>() };
};

/** Status code → how many failed by it. */
const readCodes = async (ctx: Ports, ids: readonly string[]) => {
  const client = await ctx.session.client();
  const codes = new Map<string, number>();
  for (const groupId of ids)
    for (const code of await failedCodes(client, groupId))
      codes.set(code, (codes.get(code) ?? 0) + 1);
  return codes;
};

/** If another message was sent in place of one that failed, the code of the other counts. */
const failedCodes = async (client: Client, groupId: string): Promise<readonly string[]> => {
  const failed: StoredMessage[] = [];
  for await (const { rows } of client.pages(listMessages, { query: { groupId, ...failedOnly } }))
    failed.push(...rows.filter(({ replacement }) => !replacement));
  const inPlace = await readInPlace(client, groupId);
  return failed.map((it) => codeInPlaceOf(it, inPlace) ?? it.statusCode).filter(isFailure);
};

/** `20 messages first: 18 delivered, 1 failed, 1 on the way`. */
const describeCanary = ({ messages, delivered, failed, pending }: CanaryOutcome): string => {
  const first = formatMessageCount(messages);
  const [good, bad] = [formatFigure(delivered), formatFigure(failed)];
  return pending > 0
    ? t`${first} first: ${good} delivered, ${bad} failed, ${formatFigure(pending)} on the way`
    : t`${first} first: ${good} delivered, ${bad} failed`;
};

/** On standard error, for a script too: the rest depends on it. */
const showCanary = async (ctx: Ports, outcome: CanaryOutcome): Promise<void> => {
  await ctx.note(describeCanary(outcome));
  for (const [code, count] of outcome.codes)
    await ctx.note(`  ${t`${formatFigure(count)} failed with ${code}: ${statusMeaning(code)}`}`);
};
