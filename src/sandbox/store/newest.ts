/** Pages of the rows of all accounts by number, newest first, which scan only so many rows. */
import type { Database } from "./driver.ts";

/** A page of rows by number, newest first. */
export interface NewestQuery {
  /** The row that the page begins with. */
  readonly from?: number | undefined;
  readonly limit: number;
}

/** Rows, and the number where the next page begins; undefined after the last. */
export interface NewestPage<R> {
  readonly rows: readonly R[];
  readonly next: number | undefined;
}

/** The number of the last row that a page scans; undefined if it scans all. */
export const lastOf = (
  database: Database,
  table: "messages" | "groups" | "ledger",
  from: number,
  max: number,
): number | undefined =>
  database.get<{ seq: number }>(
    `SELECT seq FROM ${table} WHERE seq <= ? ORDER BY seq DESC LIMIT 1 OFFSET ?`,
    [from, max],
  )?.seq;

/** A page of rows; one more than fits was read. `last` is the last row that was scanned. */
export const paged = <R extends { readonly seq: number }>(
  rows: readonly R[],
  limit: number,
  last: number | undefined,
): NewestPage<R> => ({
  rows: rows.slice(0, limit),
  next: rows[limit]?.seq ?? (last === undefined ? undefined : last - 1),
});
