/** The run that a planned one goes on with, and of which this machine has no folder: its groups tell what it is. */
import { MsgError, usageError } from "../../errors.ts";
import type { Ports } from "../../ports.ts";
import { fieldOf, groupsLike } from "../run/claim-requests.ts";
import { serviceTime } from "../run/hours.ts";
import { ownClaim, type RunFile } from "../store/run-file.ts";
import { pattern, plannedAt } from "../store/run-folder.ts";

const hourMs = 3_600_000;
/** Where no run is named, the newest of a week is meant. */
const lastMs = 168 * hourMs;

/**
 * What makes a run the heir of another one with the same rows: its claim, for as long as there has been one.
 * Throws MsgError: missing where the service has no group of it, usage where that was made of other rows.
 */
export const findLost = async (
  ctx: Ports,
  named: string,
  content: string,
): Promise<Pick<RunFile, "claim" | "takesOver" | "onceWithinMs">> => {
  if (named !== "last" && !pattern.test(named)) throw notThere(named);
  const now = (await serviceTime(ctx)).getTime();
  const since = named === "last" ? now - lastMs : plannedAt(named) - hourMs;
  const startDate = new Date(since).toISOString();
  const groups = (await groupsLike({ startDate }, await ctx.session.client())).map((it) => ({
    run: fieldOf(it, "msg.run") ?? "",
    claim: fieldOf(it, "msg.in"),
  }));
  const isSame = ({ run, claim }: (typeof groups)[number]): boolean =>
    claim === content || claim === ownClaim(run, content);
  const its = groups.filter((it) => (named === "last" ? isSame(it) : it.run === named));
  const [newest] = its.sort((one, other) => (one.run < other.run ? 1 : -1));
  if (!newest) throw notThere(named);
  if (!isSame(newest)) throw otherRows(newest.run);
  const { run, claim } = newest;
  return { takesOver: run, claim, onceWithinMs: Math.max(0, now - plannedAt(run)) + hourMs };
};

const notThere = (named: string): MsgError =>
  new MsgError(
    "missing",
    `the service has no group of ${named === "last" ? "these rows" : `run ${named}`}`,
    {
      code: "NoRun",
      todo: "nothing was sent; without --resume the rows are sent as a run of their own",
    },
  );

/** Throws nothing by itself: of a run that this machine has the same is said. */
export const otherRows = (run: string): MsgError =>
  usageError(`run ${run} was made of other rows, or for another hour`, {
    code: "OtherContent",
    where: `run ${run}`,
    todo: "nothing was sent; give the source and the flags that it was made with, its --once too",
  });
