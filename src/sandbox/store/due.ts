/** What will happen by itself, and when. */
import type { Database } from "./driver.ts";

/**
 * Kinds of work that time brings: a schedule fires, a group is handed over, its reports arrive, an
 * account is recharged.
 */
const dueWorks = ["send", "handOver", "report", "recharge"] as const;
export type DueWork = (typeof dueWorks)[number];

export interface DueRow {
  readonly seq: number;
  /** Milliseconds since 1970, business time. */
  readonly at: number;
  readonly work: DueWork;
  /** What it is about: the number of a group; for recharges that of an account. */
  readonly subject: number;
}

export interface Due {
  add(work: DueWork, at: number, subject: number): void;
  /** The earliest that is due by then. */
  next(until: number): DueRow | undefined;
  remove(seq: number): void;
}

export const createDue = (database: Database): Due => ({
  add: (work, at, subject) =>
    void database.run("INSERT INTO due (work, at, subject) VALUES (?, ?, ?)", work, at, subject),
  next: (until) =>
    database.get<DueRow>("SELECT * FROM due WHERE at <= ? ORDER BY at, seq LIMIT 1", until),
  remove: (seq) => void database.run("DELETE FROM due WHERE seq = ?", seq),
});
