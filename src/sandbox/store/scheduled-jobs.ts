/** What will happen without a request, and when. */
import type { Database } from "./driver.ts";
import { createTable, insertRow } from "./rows.ts";

/**
 * A schedule fires, a group that could not be sent is refused, a group is handed over, its reports arrive,
 * failed messages are replaced, an account is recharged.
 */
export type JobKind = "send" | "refuse" | "handOver" | "report" | "replace" | "recharge";

export interface ScheduledJob {
  readonly seq: number;
  /** Milliseconds since 1970, business time. */
  readonly at: number;
  readonly work: JobKind;
  /** What it is about: the number of a group; for recharges the number of an account. */
  readonly subject: number;
  /** The number of the last message that is done; 0 before the first. */
  readonly reached: number;
  /** The cost of the messages that have failed so far, in won. */
  readonly lost: number;
}

/** A job is updated as it proceeds: how far it has come, or its next kind of work. Its place in the order is kept. */
export const createScheduledJobs = (database: Database) => ({
  ...createTable<ScheduledJob>(database, "due", "seq"),
  add: (work: JobKind, at: number, subject: number, reached = 0): void =>
    insertRow(database, "due", { work, at, subject, reached }),
  /** Adds it unless the same job exists for that time already. */
  addOnce: (work: JobKind, at: number, subject: number): void =>
    void database.run(addOnceSql, [work, at, subject]),
  /** The earliest job that is due by then. */
  next: (until: number): ScheduledJob | undefined =>
    database.get("SELECT * FROM due WHERE at <= ? ORDER BY at, seq LIMIT 1", [until]),
});

const addOnceSql = `INSERT INTO due (work, at, subject) SELECT ?1, ?2, ?3
  WHERE NOT EXISTS (SELECT 1 FROM due WHERE at = ?2 AND work = ?1 AND subject = ?3)`;
