/** What will happen by itself, and when. */
import type { Database } from "./driver.ts";
import { limitClause } from "./sql-fragments.ts";

/**
 * Kinds of work that time brings: a schedule fires, a group is handed over, its reports arrive, an
 * account is recharged.
 */
const jobKinds = ["send", "handOver", "report", "recharge"] as const;
export type JobKind = (typeof jobKinds)[number];

export interface ScheduledJob {
  readonly seq: number;
  /** Milliseconds since 1970, business time. */
  readonly at: number;
  readonly work: JobKind;
  /** What it is about: the number of a group; for recharges that of an account. */
  readonly subject: number;
}

export interface ScheduledJobs {
  add(work: JobKind, at: number, subject: number): void;
  /** The earliest that is due by then. */
  next(until: number): ScheduledJob | undefined;
  remove(seq: number): void;
}

/** The earliest rows as they were read; valid for as long as no other connection can write. */
interface Ahead {
  readonly snapshot: number;
  readonly until: number;
  /** What is left of them, in order. */
  readonly rows: ScheduledJob[];
  /** Nothing else is due by `until`. */
  isAll: boolean;
}

/** Rows that are read at once. */
const max = 64;
const earliest = `SELECT * FROM due WHERE at <= ? ORDER BY at, seq ${limitClause}`;

export const createScheduledJobs = (database: Database): ScheduledJobs => {
  let ahead: Ahead | undefined;
  const read = (snapshot: number, until: number): Ahead => {
    if (
      ahead?.snapshot === snapshot &&
      (ahead.rows.length > 0 || (ahead.isAll && until <= ahead.until))
    )
      return ahead;
    const rows = database.all<ScheduledJob>(earliest, until, max);
    ahead = { snapshot, until, rows, isAll: rows.length < max };
    return ahead;
  };
  const note = (at: number): void => {
    const last = ahead?.rows.at(-1);
    if (ahead === undefined || at > ahead.until) return;
    // What belongs between those that were read is read with them; what comes behind, after them.
    if (last !== undefined && at < last.at) ahead = undefined;
    else ahead.isAll = false;
  };
  return {
    add: (work, at, subject) => {
      database.run("INSERT INTO due (work, at, subject) VALUES (?, ?, ?)", work, at, subject);
      note(at);
    },
    next: (until) => {
      const snapshot = database.snapshotVersion();
      if (snapshot === undefined) return database.get<ScheduledJob>(earliest, until, 1);
      const [row] = read(snapshot, until).rows;
      return row !== undefined && row.at <= until ? row : undefined;
    },
    remove: (seq) => {
      database.run("DELETE FROM due WHERE seq = ?", seq);
      if (ahead?.rows[0]?.seq === seq) ahead.rows.shift();
      else ahead = undefined;
    },
  };
};
