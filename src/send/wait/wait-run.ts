/** `send-many --wait`: what became of the messages of a run. */

import { shapedReply } from "../../client/codec.ts";
import { pollEndKind, resultUnreadError } from "../../client/poll.ts";
import { readDuration } from "../../config/settings.ts";
import { readGroup } from "../../contract/groups.ts";
import type { Group } from "../../contract/message-records.ts";
import { MsgError, usageError } from "../../errors.ts";
import { t } from "../../locale/locale.ts";
import { formatMessageCount, sumOf } from "../../message/price.ts";
import type { Result } from "../../output/view.ts";
import type { Ports } from "../../ports.ts";
import { summaryColumns } from "../report/ending.ts";
import type { RunFile } from "../store/run-file.ts";
import type { Summary } from "../store/summary.ts";
import {
  describeGroup,
  failedIn,
  groupCost,
  isDecided,
  isOver,
  pollWithProgress,
  sumIn,
} from "./group-delivery.ts";

export interface Delivered extends Pick<Summary, "accepted" | "refused"> {
  readonly delivered: number;
  readonly failed: number;
  readonly pending: number;
  /** Includes refunds and replacements once all is over; until then what was charged. */
  readonly cost: number | null;
}

const columns = [
  ...summaryColumns.slice(0, 4),
  "delivered",
  "failed",
  "pending",
  ...summaryColumns.slice(4),
] as const;

export const waitMsOf = (within = "60s"): number => readDuration(within, "--within");

/** Throws usage for a --within that is not a duration, and for one without --wait. */
export const assertWithin = (within: string | undefined, wait: boolean | undefined): void => {
  waitMsOf(within);
  if (within === undefined || wait) return;
  throw usageError(t`--within says how long --wait waits, and --wait is not given`, {
    todo: t`nothing was sent; give both, or leave both out`,
  });
};

/**
 * Waits until every group of a run is over, and adds what arrived to its summary. Exit 8 if the time
 * was too short, 3 if a message did not arrive; a run that ended otherwise keeps its ending.
 */
export const waitForRun = async (
  ctx: Ports,
  run: RunFile,
  { summary, ending }: { readonly summary: Summary; readonly ending: MsgError | undefined },
  withinMs: number,
): Promise<Result> => {
  try {
    const groups = await groupsOf(ctx, summary.groups, withinMs);
    const delivered = decidedIn(groups, summary);
    const record = { ...summary, ...delivered };
    const lost = groups.every(isDecided) ? unknownRowsError(run, delivered) : undefined;
    return { record, columns, ending: ending ?? lost ?? undeliveredError(ctx, summary, delivered) };
  } catch (error) {
    const todo = t`msg send-many --resume ${run.run} --wait waits again, and sends nothing`;
    return {
      record: summary,
      columns: summaryColumns,
      ending: ending ?? resultUnreadError(ctx, error, todo),
    };
  }
};

const groupsOf = async (
  ctx: Ports,
  ids: readonly string[],
  withinMs: number,
): Promise<readonly Group[]> => {
  const client = await ctx.session.client();
  const end = ctx.clock.ticks() + withinMs;
  const groups: Group[] = [];
  for (const groupId of ids) {
    const left = Math.max(0, end - ctx.clock.ticks());
    const ask = async () => {
      const group = await client.call(readGroup, { params: { groupId } });
      return { value: group, done: isDecided(group) };
    };
    const { value } = await pollWithProgress(ctx, left, ask, describeGroup);
    groups.push(value);
  }
  return groups;
};

/** What became of the accepted messages of a run, as the service shows it now. Throws MsgError. */
export const readDelivered = async (ctx: Ports, summary: Summary): Promise<Delivered> =>
  countsOf(await readGroups(ctx, summary.groups), summary);

/** The groups as they are now, one request after the other. Throws MsgError. */
export const readGroups = async (ctx: Ports, ids: readonly string[]): Promise<readonly Group[]> => {
  const client = await ctx.session.client();
  const groups: Group[] = [];
  for (const groupId of ids) groups.push(await client.call(readGroup, { params: { groupId } }));
  return groups;
};

/** A failed message counts as on its way until its group is over: another may go out in its place. */
export const decidedIn = (groups: readonly Group[], summary: Summary): Delivered => {
  const counts = countsOf(groups, summary);
  const open = groups.reduce((sum, it) => (isOver(it) ? sum : sum + failedIn(it.count)), 0);
  return { ...counts, failed: counts.failed - open, pending: counts.pending + open };
};

/** What became of the accepted messages of a run, as these groups of it say. */
export const countsOf = (groups: readonly Group[], summary: Summary): Delivered => {
  const living = groups.filter(({ status }) => status !== "FAILED" && status !== "DELETED");
  const delivered = sumIn(groups, ({ sentSuccess }) => sentSuccess);
  // Messages that were filled and not sent, as in a stopped run or one held at its canary, are not on the way.
  const pending = sumIn(
    living.filter(({ status }) => status !== "PENDING"),
    pendingIn,
  );
  const failed = sumIn(groups, failedIn);
  const { accepted, refused, notSent, unknown } = summary;
  const shown = delivered + pending + failed;
  const missing = Math.max(0, accepted - shown);
  // Someone has since sent a group that was refused as a whole: more are there than the others explain.
  // Not its refused rows: copies of the accepted ones, which a gateway has added, may be there as well.
  const whole = Math.max(0, refused - sumIn(groups, ({ registeredFailed }) => registeredFailed));
  const resent = Math.min(whole, Math.max(0, shown - accepted - notSent - unknown));
  const rows = { accepted: accepted + resent, refused: refused - resent };
  // Rows of a group that did not go out at its hour: they had been accepted. If no group is missing, an
  // operator said so of rows whose group is not known: what became of them is not known either.
  const isWhole = living.length === groups.length;
  const counts = isWhole
    ? { delivered, failed, pending: pending + missing }
    : { delivered, failed: failed + missing, pending };
  const isSettled = counts.pending === 0 && groups.length > 0 && groups.every(isOver);
  const spent = isSettled ? costIn(groups) : Number.NaN;
  return { ...rows, ...counts, cost: Number.isNaN(spent) ? summary.cost : spent };
};

/** What groups took, less what was given back; NaN if one does not say it. */
export const costIn = (groups: readonly Group[]): number =>
  sumOf(groups.map((it) => groupCost(shapedReply(readGroup, it))));

const pendingIn = (count: Group["count"]): number =>
  count.registeredSuccess - count.sentSuccess - failedIn(count);

/** Waiting changes nothing if no group is left to read. */
export const unknownRowsError = ({ run }: RunFile, { pending }: Delivered): MsgError | undefined =>
  pending === 0
    ? undefined
    : new MsgError("pending", t`what became of ${formatMessageCount(pending)} is not known`, {
        code: "Pending",
        where: t`run ${run}`,
        todo: t`they were reported as accepted, but their group is not known here: msg message list shows what the service holds`,
        outcome: "done",
      });

const undeliveredError = (
  ctx: Ports,
  { run, state }: Summary,
  { failed, pending }: Delivered,
): MsgError | undefined => {
  if (pending > 0)
    return new MsgError(pollEndKind(ctx), t`${formatMessageCount(pending)} still on the way`, {
      code: "Pending",
      where: t`run ${run}`,
      todo: t`msg send-many --resume ${run} --wait waits again, and sends nothing`,
      outcome: "done",
    });
  return failed === 0 ? undefined : lostError(run, failed, state);
};

/** Messages that are over, and did not arrive. */
export const lostError = (run: string, lost: number, state: string): MsgError =>
  new MsgError("partial", t`${formatMessageCount(lost)} did not arrive`, {
    code: "PartlyFailed",
    where: t`run ${run}`,
    todo:
      // Its journal does not know yet whether its groups went out at their hour.
      state === "scheduled"
        ? t`msg run reconcile ${run} checks what became of it`
        : t`msg run export ${run} --status failed,refused shows them with their codes`,
    outcome: "partial",
  });
