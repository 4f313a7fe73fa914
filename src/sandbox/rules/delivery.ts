/**
 * What happens to a group over time: its schedule fires, it is handed over, its reports arrive, failed messages are
 * replaced. Each call does one slice of the messages, so that a large group blocks nothing else.
 */
import type { Delivered } from "../store/deliveries.ts";
import type { GroupRow } from "../store/groups.ts";
import type { ScheduledJob } from "../store/scheduled-jobs.ts";
import type { Store } from "../store/store.ts";
import { logged } from "./groups.ts";
import { replace, replacementsFor } from "./replacements.ts";
import { send, unsentCode } from "./sending.ts";
import { adjustWallet, movedMembers } from "./wallet.ts";

/** What one call did of due work. */
export interface Progress {
  /** The same job for the remaining messages; undefined if all is done. */
  readonly rest?: ScheduledJob | undefined;
  /** Its cost, in messages that take a step. */
  readonly cost: number;
}

const nothing: Progress = { cost: 0 };

/** Messages of one slice: some 20 ms of work. */
export const sliceSize = 5_000;
/** The cost of replacing a message, in messages that take a step: each is registered and paid. */
const replacingCost = 2;

/** The time of a scheduled group has come: it is sent, or FAILED if money or quota is lacking by now. */
export const fireSchedule = (store: Store, job: ScheduledJob): Progress => {
  const group = store.groups.read(job.subject);
  if (group?.status !== "SCHEDULED" || group.scheduled !== job.at) return nothing;
  const { group: sent, stop } = send(store, group, job.at);
  store.groups.update(sent);
  return stop === undefined ? nothing : { cost: 0, rest: { ...job, work: "refuse" } };
};

/** Refuses the accepted messages of a group that could not be sent: the first slice at once, the rest as due work. */
export const refuseUnsent = (store: Store, { seq }: GroupRow, at: number): void => {
  const slice = store.deliveries.slice(seq, 0, sliceSize);
  store.deliveries.refuse(slice, unsentCode, at);
  if (!slice.isLast) store.scheduledJobs.add("refuse", at, seq, slice.reached);
};

/** Refuses a slice, unless the group is being sent after all. */
export const refuse = (store: Store, job: ScheduledJob, size: number): Progress => {
  const group = store.groups.read(job.subject);
  if (group?.status !== "FAILED" && group?.status !== "DELETED") return nothing;
  const slice = store.deliveries.slice(group.seq, job.reached, size);
  store.deliveries.refuse(slice, unsentCode, job.at);
  const { cost } = slice;
  return slice.isLast ? { cost } : { cost, rest: { ...job, reached: slice.reached } };
};

/** One tick after sending: at the carrier, or refused inside the platform. */
export const handOver = (store: Store, job: ScheduledJob, size: number): Progress =>
  deliver(store, job, size, "handOver", (group, { count, failed }) => ({
    sentTotal: group.sentTotal + count,
    sentPending: group.sentPending + count - failed,
    sentFailed: group.sentFailed + failed,
  }));

/** Two ticks after sending: the carrier says how each message ended. */
export const report = (store: Store, job: ScheduledJob, size: number): Progress =>
  deliver(store, job, size, "report", (group, { count, failed }) => ({
    sentPending: group.sentPending - count,
    sentSuccess: group.sentSuccess + count - failed,
    sentFailed: group.sentFailed + failed,
  }));

/** Counts as it goes; after the last slice refunds what failed, and completes a group that is over. */
const deliver = (
  store: Store,
  job: ScheduledJob,
  size: number,
  work: "handOver" | "report",
  countsOf: (group: GroupRow, delivered: Delivered) => Partial<GroupRow>,
): Progress => {
  const { at } = job;
  const group = store.groups.read(job.subject);
  if (group?.status !== "SENDING") return nothing;
  const tickMs = store.settings.get("tickMs");
  const slice = store.deliveries.slice(group.seq, job.reached, size);
  // Without a tick, all steps of a message fall on one instant.
  const step = { work, at, before: tickMs === 0 ? at + 1 : at, dueSeq: job.seq };
  const delivered = store.deliveries.make(step, group, slice);
  const counted: GroupRow = { ...group, ...countsOf(group, delivered), updated: at };
  const lost = job.lost + delivered.lost;
  const { cost } = slice;
  if (!slice.isLast) {
    store.groups.update(counted);
    return { cost, rest: { ...job, reached: slice.reached, lost } };
  }
  // Before the replacements are sent: their hand-over falls on the same instant.
  if (work === "handOver") store.scheduledJobs.add("report", at + tickMs, group.seq);
  const isReplaced = store.deliveries.unreplaced(job.seq, 1).length > 0;
  const over = isReplaced ? counted : completed(counted, at);
  store.groups.update(refund(store, over, lost, at), group);
  return isReplaced ? { cost, rest: { ...job, work: "replace" } } : { cost };
};

/** Sends the replacements of failed messages, and completes the group if that opens none. */
export const replaceFailed = (store: Store, job: ScheduledJob, size: number): Progress => {
  const group = store.groups.read(job.subject);
  const maxCount = Math.ceil(size / replacingCost);
  const left = store.deliveries.unreplaced(job.seq, maxCount + 1);
  const failed = left.slice(0, maxCount);
  const last = failed.at(-1);
  if (group === undefined || last === undefined) return nothing;
  store.deliveries.setReplaced(job.seq, last.seq);
  const replaced = replace(store, group, replacementsFor(store, group, failed), job.at);
  const isLast = left.length <= maxCount;
  store.groups.update(isLast ? completed(replaced, job.at) : replaced);
  return { cost: failed.length * replacingCost, rest: isLast ? undefined : job };
};

/** The group, COMPLETE if the outcome of every accepted message is known. */
const completed = (group: GroupRow, at: number): GroupRow => {
  const { registeredSuccess, sentReplacement, sentSuccess, sentFailed } = group;
  if (sentSuccess + sentFailed < registeredSuccess + sentReplacement) return group;
  return logged({ ...group, status: "COMPLETE", completed: at }, at, "all results received");
};

/**
 * Refunds the price of failed messages to its source: points were spent first, so the refund goes
 * to the balance first, up to what it paid.
 */
const refund = (store: Store, group: GroupRow, lost: number, at: number): GroupRow => {
  const total = group.prepaid === 1 ? lost : 0;
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
    refunded: group.sentFailed,
    balanceRefund: group.balanceRefund + balance,
    pointRefund: group.pointRefund + point,
  };
  const before = { balance: now.balance - balance, point: now.point - point };
  return logged(refunded, at, "failed messages refunded", movedMembers(before, now, total));
};
