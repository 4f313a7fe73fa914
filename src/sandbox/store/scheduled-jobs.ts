/** What will happen by itself, and when. */
import type { Database } from "./driver.ts";
import { insertRow } from "./rows.ts";

/** A schedule fires, a group is handed over, its reports arrive, an account is recharged. */
export type JobKind = "send" | "handOver" | "report" | "recharge";

export interface ScheduledJob {
  readonly seq: number;
  /** Milliseconds since 1970, business time. */
  readonly at: number;
  readonly work: JobKind;
  /** What it is about: the number of a group; for recharges that of an account. */
  readonly subject: number;
}

export const createScheduledJobs = (database: Database) => ({
  add: (work: JobKind, at: number, subject: number): void =>
    insertRow(database, "due", { work, at, subject }),
  /** The earliest that is due by then. */
  next: (until: number): ScheduledJob | undefined =>
    database.get("SELECT * FROM due WHERE at <= ? ORDER BY at, seq LIMIT 1", until),
  remove: (seq: number): void => void database.run("DELETE FROM due WHERE seq = ?", seq),
});
