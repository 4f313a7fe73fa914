/** Faults that are switched on, and how often each still happens. */
import type { FaultKind } from "../../contract/sandbox-faults.ts";
import type { Database } from "./driver.ts";
import { insertReturning } from "./rows.ts";

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

export const createFaults = (database: Database) => ({
  add: (fault: Omit<FaultRow, "seq" | "happened">): FaultRow => {
    const added = insertReturning<FaultRow>(database, "faults", fault);
    if (added === undefined) throw new Error("A fault was not kept.");
    return added;
  },
  /** In the order in which they were added. */
  list: (): FaultRow[] => database.all("SELECT * FROM faults ORDER BY seq"),
  /** Counts that it happened; a fault that has no times left is gone. */
  happen: (seq: number): void => {
    database.run(
      "UPDATE faults SET happened = happened + 1, timesLeft = timesLeft - 1 WHERE seq = ?",
      seq,
    );
    database.run("DELETE FROM faults WHERE timesLeft <= 0");
  },
  /** One, or all; answers how many there were. */
  remove: (seq: number): number => database.run("DELETE FROM faults WHERE seq = ?", seq),
  clear: (): number => database.run("DELETE FROM faults"),
});
