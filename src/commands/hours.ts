/** The hour at which messages go out: `--at`, by the service's time. */
import type { RunFile } from "../bulk/run-file.ts";
import type { Context } from "../context.ts";
import { showClock } from "../contract/sandbox.ts";
import { type MsgError, usage } from "../errors.ts";
import { scheduleProblem } from "../message/scheduling.ts";

/** The service's time: ours, but in a sandbox, which has its own. */
export const serviceTime = async (ctx: Context): Promise<Date> => {
  if (!ctx.settings.sandbox) return ctx.now();
  const client = await ctx.client();
  return new Date((await client.call(showClock, {})).business);
};

/** Why nothing may be scheduled for this instant (exit 2). */
export const atProblem = (at: string, now: Date): MsgError | undefined => {
  const problem = scheduleProblem(at, now);
  if (problem === undefined) return undefined;
  return usage(`--at: ${problem.text}`, {
    code: problem.code,
    todo: "nothing was sent; name another time, or leave --at out to send now",
  });
};

/** Why a run may not send now: its hour is over. */
export const hourProblem = async (
  ctx: Context,
  { run, scheduledDate }: RunFile,
): Promise<MsgError | undefined> => {
  if (scheduledDate === undefined) return undefined;
  const problem = scheduleProblem(scheduledDate, await serviceTime(ctx));
  if (problem === undefined) return undefined;
  return usage(`the run was to go out at ${scheduledDate}, and ${problem.text}`, {
    code: problem.code,
    where: `run ${run}`,
    todo: `msg run reconcile ${run} settles what is in doubt, msg run export ${run} --status not-sent gives the rows that were not sent`,
  });
};
