/** Removes runs whole or not at all, and what is left of those that were never planned to their end. */
import { join } from "node:path";
import { removeQuietly, syncFolder } from "../../durable/atomic-write.ts";
import { MsgError } from "../../errors.ts";
import {
  fileOf,
  isBegun,
  isPlanned,
  listFolders,
  orElse,
  plannedAt,
  type RunStore,
  runIdPattern,
} from "../store/run-folder.ts";
import { lockHolder, withRunLock } from "../store/run-lock.ts";

/**
 * Whole or not at all: a process that ends in the middle must leave no folder without its journal, which
 * would be a run that was never begun, and be sent by who goes on with it. Answers whether it is gone: from
 * a disk that is read-only nothing goes.
 */
export const removeRun = (store: RunStore, run: string): boolean => {
  const { files, folder } = store;
  const gone = join(folder, `.${run}${goneEnd}`);
  try {
    files.remove(gone);
    files.rename(join(folder, run), gone);
    syncFolder(files, folder);
  } catch {
    removeQuietly(files, fileOf(store, run, "run.json"));
    removeQuietly(files, join(folder, run));
  }
  removeQuietly(files, gone);
  return orElse(false, () => files.lstat(join(folder, run)) === undefined);
};

const goneEnd = ".gone";

/** Removes what processes left of runs that they were removing. */
export const removeGoneRuns = (store: RunStore): void => {
  for (const name of listFolders(store, [/^\.[0-9a-f-]+\.gone$/]))
    removeQuietly(store.files, join(store.folder, name));
};

/**
 * Removes a run while no one works on it: of one that was begun meanwhile (`isStill` says no) the folder
 * is all that tells what was sent. Answers whether it was removed.
 */
export const removeIdleRun = (
  store: RunStore,
  run: string,
  isStill: () => boolean,
): Promise<boolean> => {
  const remove = (): boolean => isStill() && removeRun(store, run);
  return withRunLock(store, run, async () => remove()).catch((error: unknown) => {
    const isHeld = error instanceof MsgError && error.code === "RunInUse";
    // On a full disk no lease can be had, and no run begun: there it is removed to make room.
    // What cannot be read is not known to be over.
    return !isHeld && lockHolder(store, run) === undefined && orElse(false, remove);
  });
};

/**
 * Folders of runs whose planning never came to its end, from before an instant: rows without a run. The
 * id of a `send --once` has no date; its folder is used by the next command with its key.
 */
export const halfPlanned = (store: RunStore, before: number): string[] =>
  listFolders(store, [runIdPattern]).filter(
    (id) =>
      plannedAt(id) < before && orElse(false, () => !isPlanned(store, id) && !isBegun(store, id)),
  );
