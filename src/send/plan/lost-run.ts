/** The run that a planned one goes on with, and of which this machine has no folder: its groups tell what it is. */

import { MsgError, usageError } from "../../errors.ts";
import { t } from "../../locale/locale.ts";
import type { Ports } from "../../ports.ts";
import { fieldOf, groupsLike } from "../claims/group-fields.ts";
import { marksOf } from "../claims/remembered-marks.ts";
import { serviceTime } from "../run/hours.ts";
import { keyedClaim, ownClaim, type RunFile } from "../store/run-file.ts";
import { pattern, plannedAt } from "../store/run-folder.ts";

const hourMs = 3_600_000;
/** Where no run is named, the newest of a week is meant. */
const lastMs = 168 * hourMs;

/** What is gone on with: its rows, and the key that it goes by, with how far back that counts. */
interface Wanted {
  readonly content: string;
  readonly part: string | undefined;
  readonly once: string | undefined;
  readonly withinMs: number;
}

/**
 * What makes a run the heir of another one with the same rows: its claim, for as long as there has been one.
 * Throws MsgError: missing where the service has no group of it, usage where that was made of other rows.
 */
export const findLost = async (
  ctx: Ports,
  named: string,
  { content, part, once, withinMs }: Wanted,
): Promise<Pick<RunFile, "claim" | "takesOver" | "onceWithinMs">> => {
  if (named !== "last" && !pattern.test(named)) throw notThere(named);
  const now = (await serviceTime(ctx)).getTime();
  const since = named === "last" ? now - lastMs : plannedAt(named) - hourMs;
  const startDate = new Date(since).toISOString();
  const client = await ctx.session.client();
  const listed = await marksOf(ctx, client, true).read(await groupsLike({ startDate }, client));
  const groups = listed.map((it) => ({
    run: fieldOf(it, "msg.run") ?? "",
    claim: fieldOf(it, "msg.in"),
    worker: fieldOf(it, "msg.worker"),
  }));
  const isSame = ({ run, claim, worker }: (typeof groups)[number]): boolean =>
    (once === undefined
      ? claim === content || claim === ownClaim(run, content)
      : claim === keyedClaim(once, content)) && worker === part;
  const its = groups.filter((it) => (named === "last" ? isSame(it) : it.run === named));
  const [newest] = its.sort((one, other) => (one.run < other.run ? 1 : -1));
  if (!newest) throw notThere(named);
  if (!isSame(newest)) throw otherRows(newest.run);
  const { run, claim } = newest;
  const sinceMs = Math.max(0, now - plannedAt(run)) + hourMs;
  return { takesOver: run, claim, onceWithinMs: Math.max(withinMs, sinceMs) };
};

const notThere = (named: string): MsgError =>
  new MsgError(
    "missing",
    named === "last"
      ? t`the service has no group of these rows`
      : t`the service has no group of run ${named}`,
    {
      code: "NoRun",
      todo: t`nothing was sent; a run with --once is found by its key; to send the rows as a new run, omit --resume`,
    },
  );

/** Throws nothing by itself: of a run that this machine has the same is said. */
export const otherRows = (run: string): MsgError =>
  usageError(t`run ${run} has other rows or another scheduled time`, {
    code: "OtherContent",
    where: t`run ${run}`,
    todo: t`nothing was sent; use the source and the flags of that run, including --once`,
  });
