/** What time does to a group: its schedule fires, it is handed over, its reports arrive. */
import { isFailure } from "../../message/status.ts";
import type { GroupRow } from "../store/groups.ts";
import type { DeliveryStep, ReplaceableRow, Tally } from "../store/messages.ts";
import type { ScheduledJob } from "../store/scheduled-jobs.ts";
import type { Store } from "../store/store.ts";
import { logged } from "./groups.ts";
import { replace, replacementsFor } from "./replacements.ts";
import { send, unsentCode } from "./sending.ts";
import { adjustWallet } from "./wallet.ts";

/** The hour of a scheduled group: sent, or FAILED when money or quota lack by now. */
export const fireSchedule = (store: Store, { at, subject }: ScheduledJob): void => {
  const group = store.groups.bySeq(subject);
  if (group?.status !== "SCHEDULED" || group.scheduled !== at) return;
  const { group: sent, stop } = send(store, group, at);
  if (stop !== undefined) store.messages.refuse(group.seq, unsentCode, at);
  store.groups.update(sent);
};

/** One tick after sending: at the carrier, or refused inside the platform. */
export const handOver = (store: Store, { at, subject }: ScheduledJob): void => {
  const group = store.groups.bySeq(subject);
  if (group?.status !== "SENDING") return;
  const tickMs = store.settings.get("tickMs");
  const failed = store.messages.handOver(group, stepOf(at, tickMs));
  // Before what is sent in place of others: their hand-over falls on the same instant.
  store.scheduledJobs.add("report", at + tickMs, group.seq);
  store.groups.update(withResults(store, group, failed, at));
};

/** Two ticks after sending: the carrier says how each message ended. */
export const report = (store: Store, { at, subject }: ScheduledJob): void => {
  const group = store.groups.bySeq(subject);
  if (group?.status !== "SENDING") return;
  const failed = store.messages.report(group, stepOf(at, store.settings.get("tickMs")));
  store.groups.update(withResults(store, group, failed, at));
};

/** Without a tick, all steps of a message fall on one instant. */
const stepOf = (at: number, tickMs: number): DeliveryStep => ({
  at,
  before: tickMs === 0 ? at + 1 : at,
});

/** Counts again, refunds what failed, replaces it, and completes the group when nothing is open. */
const withResults = (
  store: Store,
  group: GroupRow,
  failed: readonly ReplaceableRow[],
  at: number,
): GroupRow => {
  const { counted, lost, open } = recount(group, store.messages.tally(group.seq), at);
  const wanted = replacementsFor(store, counted, failed);
  if (wanted.length === 0)
    return refund(store, open > 0 ? counted : complete(counted, at), lost, at);
  const replaced = replace(store, refund(store, counted, lost, at), wanted, at);
  const isOver = open === 0 && replaced.sentReplacement === counted.sentReplacement;
  return isOver ? complete(replaced, at) : replaced;
};

const complete = (group: GroupRow, at: number): GroupRow =>
  logged({ ...group, status: "COMPLETE", completed: at }, at, "all results received");

interface Recount {
  readonly counted: GroupRow;
  readonly lost: { readonly price: number; readonly count: number };
  /** Messages whose end is not known. */
  readonly open: number;
}

const recount = (group: GroupRow, tally: readonly Tally[], at: number): Recount => {
  const count = (test: (code: string, processed: number) => boolean): number =>
    tally.reduce((sum, it) => sum + (test(it.statusCode, it.processed) ? it.count : 0), 0);
  const lost = tally.filter((it) => it.processed === 1 && isFailure(it.statusCode));
  const lostCount = lost.reduce((sum, it) => sum + it.count, 0);
  const counted: GroupRow = {
    ...group,
    updated: at,
    sentTotal: count((_, processed) => processed === 1),
    sentPending: count((code) => code === "3000"),
    sentSuccess: count((code) => code === "4000"),
    sentFailed: lostCount,
  };
  return {
    counted,
    lost: { price: lost.reduce((sum, it) => sum + it.price, 0), count: lostCount },
    open: count((code) => code === "2000" || code === "3000"),
  };
};

/**
 * Gives back the price of failed messages where it came from: points were spent first, so what is
 * given back goes to the balance first, up to what it paid.
 */
const refund = (
  store: Store,
  group: GroupRow,
  lost: { readonly price: number; readonly count: number },
  at: number,
): GroupRow => {
  const total = group.prepaid === 1 ? lost.price - group.balanceRefund - group.pointRefund : 0;
  if (total === 0) return group;
  const paid = group.balanceRequested + group.balanceReplacement;
  const balance = Math.min(total, paid - group.balanceRefund);
  const point = total - balance;
  const now = adjustWallet(store, group.accountId, {
    type: "REFUND",
    balance,
    point,
    at,
    serviceMethod: "MT",
    groupSeq: group.seq,
  });
  const refunded: GroupRow = {
    ...group,
    refunded: lost.count,
    balanceRefund: group.balanceRefund + balance,
    pointRefund: group.pointRefund + point,
  };
  return logged(refunded, at, "failed messages refunded", {
    oldBalance: now.balance - balance,
    newBalance: now.balance,
    oldPoint: now.point - point,
    newPoint: now.point,
    totalPrice: total,
  });
};
