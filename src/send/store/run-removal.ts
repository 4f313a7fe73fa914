/** Removes runs whole or not at all, and finds those whose planning never ended. */
import { join } from "node:path";
import { removeQuietly, syncFolder } from "../../durable/atomic-write.ts";
import { quietly } from "../../durable/files.ts";
import { MsgError } from "../../errors.ts";
import {
  fileOf,
  isRun,
  listFolders,
  plannedAt,
  type RunStore,
  runIdPattern,
} from "./run-folder.ts";
import { lockHolder, withRunLock } from "./run-lock.ts";

/**
 * Removes a run whole or not at all: a folder without its journal would be a run that was never begun, and resuming
 * would send it again. Returns whether it is gone: a read-only disk keeps it.
 */
export const removeRun = (store: RunStore, run: string): boolean => {
  const { files, folder } = store;
  const gone = join(folder, `.${run}.gone`);
  try {
    files.remove(gone);
    files.rename(join(folder, run), gone);
    syncFolder(files, folder);
  } catch {
    removeQuietly(files, fileOf(store, run, "run.json"));
    removeQuietly(files, join(folder, run));
  }
  // A run that was moved and linked here is removed completely, too.
  quietly(() => files.remove(files.real(gone)));
  removeQuietly(files, gone);
  return quietly(() => files.lstat(join(folder, run)) === undefined) ?? false;
};

/** Removes what is left of runs whose removing process died. */
export const removeGoneRuns = (store: RunStore): void => {
  for (const name of listFolders(store, [/^\.[0-9a-f-]+\.gone$/]))
    removeQuietly(store.files, join(store.folder, name));
};

/**
 * Removes a run while no process works on it and `isStill` holds: the folder of a run that was begun meanwhile is
 * the only record of what was sent. Returns whether it was removed.
 */
export const removeIdleRun = (
  store: RunStore,
  run: string,
  isStill: () => boolean,
): Promise<boolean> => {
  const remove = (): boolean => isStill() && removeRun(store, run);
  return withRunLock(store, run, async () => remove()).catch((error: unknown) => {
    const isHeld = error instanceof MsgError && error.code === "RunInUse";
    // On a full disk there is no lease, and no run can begin: it is removed to make room.
    // A run that cannot be read may not be over.
    return !isHeld && lockHolder(store, run) === undefined && (quietly(remove) ?? false);
  });
};

/**
 * Folders, from before an instant, of runs whose planning never ended. Those of `send --once` have no date in their
 * ids: the next command with the key uses them.
 */
export const halfPlanned = (store: RunStore, before: number): string[] =>
  listFolders(store, [runIdPattern]).filter(
    (id) => plannedAt(id) < before && quietly(() => isRun(store, id)) === false,
  );
