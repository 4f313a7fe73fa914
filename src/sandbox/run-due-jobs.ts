/** Lets time pass: the only place where anything happens without a request. */
import { fireSchedule, handOver, report } from "./rules/delivery.ts";
import { recharge } from "./rules/wallet.ts";
import type { DueRow, DueWork } from "./store/scheduled-jobs.ts";
import type { Store } from "./store/store.ts";

/** What each kind of due work does. A new kind is a word in store/due.ts and a line here. */
const jobs: Readonly<Record<DueWork, (store: Store, due: DueRow) => void>> = {
  send: fireSchedule,
  handOver,
  report,
  recharge,
};

/** Does everything that is due by `now`, in order of time. Costs one indexed query when idle. */
export const runDueJobs = (store: Store, now: Date): void => {
  const until = now.getTime();
  if (store.due.next(until) === undefined) return;
  store.transaction(() => {
    for (let due = store.due.next(until); due !== undefined; due = store.due.next(until)) {
      store.due.remove(due.seq);
      jobs[due.work](store, due);
    }
  });
};
