/** The hour at which messages go out: `--at` and `--ad`, by the service's time. */

import { MsgError, type Problem, usageError } from "../../errors.ts";
import { shownTime, t } from "../../locale/locale.ts";
import { quietProblem, scheduleProblem } from "../../message/check.ts";
import type { Ports } from "../../ports.ts";
import type { RunFile } from "../store/run-file.ts";

/** The service's time: ours, except in a sandbox, which has its own. */
export const serviceTime = async (ctx: Ports): Promise<Date> => {
  if (!ctx.settings.sandbox) return ctx.clock.now();
  const client = await ctx.session.client();
  const { showClock } = await import("../../contract/sandbox-state.ts");
  return new Date((await client.call(showClock, {})).business);
};

/** How far a sandbox's time is ahead of this machine's; undefined for a service, whose answers show its own. */
export const sandboxAheadMs = async (ctx: Ports): Promise<number | undefined> =>
  ctx.settings.sandbox ? (await serviceTime(ctx)).getTime() - ctx.clock.now().getTime() : undefined;

/** Why nothing may be scheduled for this instant (exit 2). */
export const scheduleError = (at: string, now: Date, label = "--at"): MsgError | undefined => {
  const problem = scheduleProblem(at, now);
  if (problem === undefined) return undefined;
  const hint =
    problem.code === "SchedulePast"
      ? t`name a time ahead (+24h is tomorrow, 24h is yesterday)`
      : t`name an earlier time`;
  return usageError(`${label}: ${problem.text}`, {
    code: problem.code,
    todo: t`nothing was sent; ${hint}`,
  });
};

/** Stops advertising at night: now, or at the hour that it is meant for. Exit 7. */
export const assertNotQuiet = async (ctx: Ports, at: string | undefined): Promise<void> => {
  const stop = at === undefined ? await quietHoursError(ctx) : quietHoursProblem(new Date(at));
  if (stop) throw stop;
};

/** Why advertising may not leave now: checked again before each repetition of what got no answer. */
export const quietHoursError = async (ctx: Ports): Promise<MsgError | undefined> =>
  quietHoursProblem(await serviceTime(ctx));

/** What can be resumed by day; if there is none, an hour has to be named. */
type Stopped = Pick<RunFile, "run" | "once">;

const quietHoursProblem = (instant: Date, stopped?: Stopped): MsgError | undefined => {
  const problem = quietProblem(instant);
  if (problem === undefined) return undefined;
  const later =
    stopped === undefined
      ? t`name a time between 08:00 and 21:00 Korean time with --at`
      : resumeHint(stopped);
  return new MsgError("stopped", problem.text, {
    code: problem.code,
    where:
      stopped && (stopped.once === undefined ? t`run ${stopped.run}` : `--once ${stopped.once}`),
    todo: ({ nothing = t`nothing was sent by this command` }) => t`${nothing}; ${later}`,
  });
};

const resumeHint = ({ run, once }: Stopped): string =>
  once === undefined
    ? t`resume it between 08:00 and 21:00 Korean time: msg send-many --resume ${run}`
    : t`run it again with --once ${once} between 08:00 and 21:00 Korean time`;

/** Why a run may not send now: its hour is over, or it is night and it advertises. */
export const sendTimeError = async (
  ctx: Ports,
  { run, once, scheduledDate, isAdvertising }: RunFile,
): Promise<MsgError | undefined> => {
  if (scheduledDate === undefined)
    return isAdvertising ? quietHoursProblem(await serviceTime(ctx), { run, once }) : undefined;
  const problem = scheduleProblem(scheduledDate, await serviceTime(ctx));
  if (problem !== undefined) return hourPassedError(run, scheduledDate, problem);
  return isAdvertising ? quietHoursProblem(new Date(scheduledDate)) : undefined;
};

const hourPassedError = (run: string, at: string, problem: Problem): MsgError =>
  usageError(t`the run was scheduled for ${shownTime(at)}: ${problem.text}`, {
    code: problem.code,
    where: t`run ${run}`,
    todo: t`msg run reconcile ${run} clears up what is unclear, msg run export ${run} --status not-sent gives the rows that were not sent`,
  });

/** The code of the error that keeps a schedule from leaving. */
export const hourPassedCode = "HourPassed";

/** What a request may take to its execution, and what the clocks' whole seconds hide. */
const marginMs = 5_000;

/**
 * Called right before each attempt leaves, repeats included. Throws MsgError if the hour has passed,
 * or is so near that the request may arrive after it. `time` is the latest that the service's may be.
 */
export const assertOnTime = (at: string | undefined, time: () => number): void => {
  if (at === undefined || Date.parse(at) - marginMs > time()) return;
  const what = t`the scheduled time ${shownTime(at)} has passed, or is too close to schedule anything more`;
  throw new MsgError("usage", what, {
    code: hourPassedCode,
    outcome: "not_sent",
    todo: t`nothing was sent; name a later time with --at`,
  });
};
