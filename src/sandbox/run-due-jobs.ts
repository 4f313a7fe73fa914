/** Lets time pass: the only place where anything happens without a request. */
import {
  fireSchedule,
  handOver,
  type Progress,
  refuse,
  replaceFailed,
  report,
} from "./rules/delivery.ts";
import { recharge } from "./rules/wallet.ts";
import type { JobKind, ScheduledJob } from "./store/scheduled-jobs.ts";
import type { Store } from "./store/store.ts";

/** Does one slice, of about so many messages. */
type Runner = (store: Store, due: ScheduledJob, size: number) => Progress;

/** What each kind of due work does. A new kind is a word in store/scheduled-jobs.ts and a line here. */
const runners: Readonly<Record<JobKind, Runner>> = {
  send: fireSchedule,
  refuse,
  handOver,
  report,
  replace: replaceFailed,
  recharge: (store, due) => {
    recharge(store, due);
    return { messages: 0 };
  },
};

/** How much is done at once. */
export interface Portion {
  /** Messages of a slice: of one group and one step. */
  readonly slice: number;
  /** Messages behind which no further slice is begun. */
  readonly most: number;
}

/** What due work costs beside its messages, in messages. */
const jobCost = 25;

/**
 * Does what is due by `now`, in order of time: all of it, or so much that no request waits long. Costs one
 * indexed query when idle. Returns true when nothing is left.
 */
export const runDueJobs = (store: Store, now: Date, { slice, most }: Portion): boolean => {
  const until = now.getTime();
  if (store.scheduledJobs.next(until) === undefined) return true;
  return store.transaction(() => {
    let due = store.scheduledJobs.next(until);
    for (let left = most; due !== undefined && left > 0; due = store.scheduledJobs.next(until)) {
      const { rest, messages } = runners[due.work](store, due, slice);
      if (rest === undefined) store.scheduledJobs.remove(due.seq);
      else store.scheduledJobs.update(rest);
      left -= jobCost + messages;
    }
    return due === undefined;
  });
};
