/** The lock of a run, which one process holds while it works; and the journal, which another may take over. */

import { join } from "node:path";
import { quietly } from "../../durable/files.ts";
import {
  type Busy,
  heartbeatMs,
  isBeating,
  type Lease,
  leaseHolder,
  leaseLost,
  timeoutMs,
  withExclusiveLock,
} from "../../durable/lease.ts";
import { MsgError } from "../../errors.ts";
import { t } from "../../locale/locale.ts";
import type { Entry } from "../protocol/entries.ts";
import type { Journal } from "./journal.ts";
import type { RunFile } from "./run-file.ts";
import { fileOf, type RunStore } from "./run-folder.ts";

/**
 * Runs `action` while no other process works on the run. Exit 7 if one does; waits for the time-out of one that
 * may have died. `onWorking` decides instead if another process is seen to work.
 */
export const withRunLock = <T>(
  store: RunStore,
  run: string,
  action: (lease: Lease) => Promise<T>,
  onWorking: (busy: Busy) => void = () => {
    throw inUseError(store, run);
  },
): Promise<T> => {
  const said = { yet: false };
  const onBusy = (busy: Busy): void => {
    if (store.signal?.aborted) throw stoppedWaitingError(run);
    if (busy.isBeating) onWorking(busy);
    if (busy.isBeating || said.yet || busy.waitedMs < 2 * heartbeatMs) return;
    said.yet = true;
    store.note?.(t`waiting for another msg that was working on run ${run}: it may have ended`);
  };
  const options = { ...store, onBusy, maxWaitMs: Number.POSITIVE_INFINITY };
  return withExclusiveLock(store.files, fileOf(store, run, "lock"), options, action);
};

/** The id of the process that works on the run, as far as one look can show; undefined if none does. */
export const lockHolder = (store: RunStore, run: string): string | undefined => {
  const path = fileOf(store, run, "lock");
  const holder = leaseHolder(store.files, path, store.processes);
  // If a power cut ended it, or it ran in another container, only this shows that it is gone.
  const { changedMs = 0 } = quietly(() => store.files.lstat(path)) ?? {};
  const silentMs = Math.abs(store.now().getTime() - changedMs);
  return silentMs > 4 * timeoutMs ? undefined : holder;
};

/** Whether a process is seen to work on the run: one that stands still or is gone is not seen. */
export const isInProgress = (store: RunStore, run: string): Promise<boolean> =>
  isBeating(store.files, fileOf(store, run, "lock"), store);

const inUseError = (store: RunStore, run: string): MsgError =>
  new MsgError("stopped", t`another msg is working on run ${run}`, {
    code: "RunInUse",
    where: fileOf(store, run, "lock"),
    todo: t`stop that one first (Ctrl-C), or wait until it ends; progress: msg run show ${run}`,
  });

const stoppedWaitingError = (run: string): MsgError =>
  new MsgError("interrupted", t`stopped waiting for another msg that is working on run ${run}`, {
    where: t`run ${run}`,
    todo: t`this msg has sent nothing; progress of the other one: msg run show ${run}`,
  });

/** Between looking for the same rows and marking a run as begun, no other run begins. */
export const withStartLock = <T>(store: RunStore, action: () => T): Promise<T> =>
  withExclusiveLock(store.files, join(store.folder, ".lock"), store, async (lease) => {
    lease.assertOwned();
    return action();
  });

/** Once another process has taken the run over, this one no longer writes. */
export const leasedJournal = (journal: Journal, lease: Lease) => {
  const state = { isLost: false };
  const append = (entries: readonly Entry[]): void => {
    try {
      lease.assertOwned();
    } catch (error) {
      state.isLost ||= error instanceof MsgError && error.code === leaseLost;
      throw error;
    }
    journal.append(entries);
  };
  const close = (): void => (lease.isOwned() ? journal.close() : undefined);
  return { ...journal, append, close, isLost: () => state.isLost };
};

/** Only the other process knows what became of its rows. */
export const takenOverError = ({ run }: RunFile): MsgError =>
  new MsgError(
    "stopped",
    t`this msg lost the run: it was paused and another msg has taken over, or its folder was removed`,
    {
      code: leaseLost,
      where: t`run ${run}`,
      todo: t`nothing more was sent by this one; msg run show ${run} shows what became of it`,
      outcome: "unknown",
    },
  );
