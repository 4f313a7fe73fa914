/** Lets time pass: the only place where anything happens without a request. */
import {
  fireSchedule,
  handOver,
  type Progress,
  refuse,
  replaceFailed,
  report,
  sliceSize,
} from "./rules/delivery.ts";
import { recharge } from "./rules/wallet.ts";
import type { JobKind, ScheduledJob } from "./store/scheduled-jobs.ts";
import type { Store } from "./store/store.ts";

/** Does one slice of about this many messages. */
type Runner = (store: Store, due: ScheduledJob, size: number) => Progress;

/** The function of each kind of due work. A new kind is a word in store/scheduled-jobs.ts and a line here. */
const runners: Readonly<Record<JobKind, Runner>> = {
  send: fireSchedule,
  refuse,
  handOver,
  report,
  replace: replaceFailed,
  recharge: (store, due) => {
    recharge(store, due);
    return { cost: 0 };
  },
};

/** The cost of a job in addition to its messages, in messages. */
const jobCost = 25;
/** Slices that are done before one request, which waits for them: all of a small group. */
const slicesARequest = 4;

/** Does the work due by `now`: all of it, or a portion. `slice` is for tests. */
export const createDueJobs = (store: Store, slice = sliceSize) => {
  const runSome = oncePerTurn((now, slices) => runDueJobs(store, now, slice, slice * slices));
  return {
    /** All of it, for a request in this process. */
    all: (now: number): void => void runDueJobs(store, now, slice, Number.POSITIVE_INFINITY),
    /** A portion small enough that a server's request does not wait long. */
    beforeRequest: (now: number): void => void runSome(now, slicesARequest),
    /** A slice, for the timer of a server. Returns true when nothing is left. */
    onTimer: (now: number): boolean => runSome(now, 1),
  };
};

/**
 * As long as due work is left, one slice is done per turn of the event loop, whichever request asks: no
 * concurrent request waits for more.
 */
const oncePerTurn = (run: (now: number, slices: number) => boolean): typeof run => {
  let isBehind = false;
  let hasRun = false;
  return (now, slices) => {
    if (hasRun) return false;
    isBehind = !run(now, isBehind ? 1 : slices);
    hasRun = isBehind;
    if (hasRun)
      setImmediate(() => {
        hasRun = false;
      });
    return !isBehind;
  };
};

/**
 * Does what is due by then in order of time, each time about `slice` messages of one group and one step; after
 * `maxCost`, in messages, no further slice is begun. Costs one indexed query when idle. Returns true when
 * nothing is left.
 */
const runDueJobs = (store: Store, until: number, slice: number, maxCost: number): boolean => {
  if (store.scheduledJobs.next(until) === undefined) return true;
  return store.transaction(() => {
    let due = store.scheduledJobs.next(until);
    for (let left = maxCost; due !== undefined && left > 0; due = store.scheduledJobs.next(until)) {
      const { rest, cost } = runners[due.work](store, due, slice);
      if (rest === undefined) store.scheduledJobs.remove(due.seq);
      else store.scheduledJobs.update(rest);
      left -= jobCost + cost;
    }
    return due === undefined;
  });
};
