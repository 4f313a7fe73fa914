/** Keeps what every request reads and few change: keys, prices, faults. */
import type { Database } from "./driver.ts";

/** Answers that are kept; callers make up keys without end. */
const max = 1_000;

/** What was read or written under the present moment. */
export interface SnapshotCache<T> {
  readonly get: (key: string) => T;
  /** Says what `get` would read by now: the writer knows. */
  readonly set: (key: string, value: T) => void;
}

/**
 * `read`, asked once for each key for as long as what it reads cannot have changed. Code that
 * writes to those tables calls `set` or `database.invalidateSnapshot()`. Outside of a transaction nothing is kept.
 */
export const createSnapshotCache = <T>(
  database: Database,
  read: (key: string) => T,
): SnapshotCache<T> => {
  const known = new Map<string, { readonly value: T }>();
  let since: number | undefined;
  const isKept = (): boolean => {
    const snapshot = database.snapshotVersion();
    if (snapshot === undefined) return false;
    if (snapshot !== since || known.size >= max) known.clear();
    since = snapshot;
    return true;
  };
  return {
    get: (key) => {
      if (!isKept()) return read(key);
      const found = known.get(key) ?? { value: read(key) };
      known.set(key, found);
      return found.value;
    },
    set: (key, value) => {
      if (isKept()) known.set(key, { value });
    },
  };
};

/** The same for what is seldom written. */
export const cachedLookup = <T>(
  database: Database,
  read: (key: string) => T,
): ((key: string) => T) => createSnapshotCache(database, read).get;
