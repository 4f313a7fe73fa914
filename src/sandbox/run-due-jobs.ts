/** Lets time pass: the only place where anything happens without a request. */
import { fireSchedule, handOver, report } from "./rules/delivery.ts";
import { recharge } from "./rules/wallet.ts";
import type { JobKind, ScheduledJob } from "./store/scheduled-jobs.ts";
import type { Store } from "./store/store.ts";

/** What each kind of due work does. A new kind is a word in store/scheduled-jobs.ts and a line here. */
const runners: Readonly<Record<JobKind, (store: Store, due: ScheduledJob) => void>> = {
  send: fireSchedule,
  handOver,
  report,
  recharge,
};

/** Does everything that is due by `now`, in order of time. Costs one indexed query when idle. */
export const runDueJobs = (store: Store, now: Date): void => {
  const until = now.getTime();
  if (store.scheduledJobs.next(until) === undefined) return;
  store.transaction(() => {
    let due = store.scheduledJobs.next(until);
    while (due !== undefined) {
      store.scheduledJobs.remove(due.seq);
      runners[due.work](store, due);
      due = store.scheduledJobs.next(until);
    }
  });
};
