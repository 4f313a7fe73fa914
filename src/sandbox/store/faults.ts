/** The faults that are switched on. */
import type { Reply } from "../../contract/endpoint.ts";
import type { addFault, Happening, Target } from "../../contract/sandbox-state.ts";
import type { Database } from "./driver.ts";
import { createTable, insertReturning } from "./rows.ts";

export interface FaultRow
  extends Target,
    Happening,
    Pick<Reply<typeof addFault>, "timesLeft" | "probability" | "happened"> {
  readonly seq: number;
}

export const createFaults = (database: Database) => ({
  ...createTable<FaultRow>(database, "faults", "seq"),
  add: (fault: Omit<FaultRow, "seq" | "happened">): FaultRow =>
    insertReturning(database, "faults", fault),
  /** Counts that it happened; removes a fault that has no times left. */
  recordInjection: (seq: number): void => {
    const count =
      "UPDATE faults SET happened = happened + 1, timesLeft = timesLeft - 1 WHERE seq = ?";
    database.run(count, [seq]);
    database.run("DELETE FROM faults WHERE timesLeft <= 0");
  },
  /** Returns how many there were. */
  clear: (): number => database.run("DELETE FROM faults"),
});
