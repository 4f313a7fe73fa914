/** The hour at which messages go out: `--at` and `--ad`, by the service's time. */
import type { RunFile } from "../../bulk/run-file.ts";
import type { Context } from "../../context.ts";
import { MsgError, type Problem, usage } from "../../errors.ts";
import { quietProblem } from "../../message/advertising.ts";
import { scheduleProblem } from "../../message/scheduling.ts";

/** The service's time: ours, but in a sandbox, which has its own. */
export const serviceTime = async (ctx: Context): Promise<Date> => {
  if (!ctx.settings.sandbox) return ctx.now();
  const client = await ctx.client();
  const { showClock } = await import("../../contract/sandbox-state.ts");
  return new Date((await client.call(showClock, {})).business);
};

/** Why nothing may be scheduled for this instant (exit 2). */
export const atProblem = (at: string, now: Date): MsgError | undefined => {
  const problem = scheduleProblem(at, now);
  if (problem === undefined) return undefined;
  return usage(`--at: ${problem.text}`, {
    code: problem.code,
    todo: "nothing was sent; name a time ahead (24h is a day ago), or leave --at out to send now",
  });
};

/** Stops advertising at night: now, or at the hour that it is meant for. Exit 7. */
export const refuseQuiet = async (ctx: Context, at: string | undefined): Promise<void> => {
  const stop = quietGuard(at === undefined ? await serviceTime(ctx) : new Date(at));
  if (stop) throw stop;
};

const quietGuard = (instant: Date, run?: string): MsgError | undefined => {
  const problem = quietProblem(instant);
  if (problem === undefined) return undefined;
  const later = run === undefined ? "--at names an hour of the day" : resumed(run);
  return new MsgError("stopped", problem.text, {
    code: problem.code,
    where: run === undefined ? undefined : `run ${run}`,
    todo: `nothing was sent by this command; ${later}`,
  });
};

const resumed = (run: string): string => `msg send-many --resume ${run} goes on by day`;

/** Why a run may not send now: its hour is over, or it is night and it advertises. */
export const hourProblem = async (
  ctx: Context,
  { run, scheduledDate, isAdvertising }: RunFile,
): Promise<MsgError | undefined> => {
  if (scheduledDate === undefined)
    return isAdvertising ? quietGuard(await serviceTime(ctx), run) : undefined;
  const problem = scheduleProblem(scheduledDate, await serviceTime(ctx));
  if (problem !== undefined) return hourOver(run, scheduledDate, problem);
  return isAdvertising ? quietGuard(new Date(scheduledDate)) : undefined;
};

const hourOver = (run: string, at: string, problem: Problem): MsgError =>
  usage(`the run was to go out at ${at}, and ${problem.text}`, {
    code: problem.code,
    where: `run ${run}`,
    todo: `msg run reconcile ${run} settles what is in doubt, msg run export ${run} --status not-sent gives the rows that were not sent`,
  });
