/** Faults that are switched on, and how often each still happens. */
import type { FaultKind } from "../../contract/sandbox-faults.ts";
import type { Database } from "./driver.ts";
import { cachedLookup } from "./snapshot-cache.ts";

export interface FaultRow {
  readonly seq: number;
  /** `*` for any. */
  readonly method: string;
  /** A path in which `*` matches any characters. */
  readonly path: string;
  readonly kind: FaultKind;
  /** The status of `status`, the milliseconds of `delay`, else 0. */
  readonly amount: number;
  readonly timesLeft: number | null;
  readonly probability: number | null;
  readonly happened: number;
}

export interface Faults {
  add(fault: Omit<FaultRow, "seq" | "happened">): FaultRow;
  /** In the order in which they were added. */
  list(): FaultRow[];
  /** Counts that it happened; a fault that has no times left is gone. */
  happen(seq: number): void;
  /** One, or all; answers how many there were. */
  remove(seq: number): number;
  clear(): number;
}

export const createFaults = (database: Database): Faults => {
  const all = (): FaultRow[] => database.all("SELECT * FROM faults ORDER BY seq");
  const known = cachedLookup(database, all);
  return {
    add: ({ method, path, kind, amount, timesLeft, probability }) => {
      const values = [method, path, kind, amount, timesLeft, probability];
      database.run(
        `INSERT INTO faults (method, path, kind, amount, timesLeft, probability)
         VALUES (?, ?, ?, ?, ?, ?)`,
        ...values,
      );
      database.invalidateSnapshot();
      const added = all().at(-1);
      if (added === undefined) throw new Error("A fault was not kept.");
      return added;
    },
    list: () => known(""),
    happen: (seq) => {
      database.invalidateSnapshot();
      database.run(
        "UPDATE faults SET happened = happened + 1, timesLeft = timesLeft - 1 WHERE seq = ?",
        seq,
      );
      database.run("DELETE FROM faults WHERE timesLeft <= 0");
    },
    remove: (seq) => {
      database.invalidateSnapshot();
      return database.run("DELETE FROM faults WHERE seq = ?", seq);
    },
    clear: () => {
      database.invalidateSnapshot();
      return database.run("DELETE FROM faults");
    },
  };
};
