/** What the pages show of all accounts: groups and money, newest first, and the number of cases for the staff. */
import { goodCodes } from "../../message/status.ts";
import type { LedgerRow } from "./accounts.ts";
import { messagesOf } from "./batches.ts";
import type { Database, Value } from "./driver.ts";
import type { GroupRow } from "./groups.ts";
import { inState } from "./kakao.ts";
import type { MessageRow } from "./messages.ts";
import { type Filter, lastOf, type NewestPage, type NewestQuery, paged, whereOf } from "./rows.ts";

/** A balance, from the instant of a movement on. */
export type BalancePoint = Pick<LedgerRow, "seq" | "created" | "newBalance">;

/** The most rows that one page scans. */
const maxRows = 100_000;

/**
 * By number, not by time: business time may be moved back, and the last row stays last. Rows that
 * do not match are skipped, at most this many for one page.
 */
export const createDashboardQueries = (database: Database) => ({
  groups: ({ status, ...query }: NewestQuery & { readonly status?: string | undefined }) =>
    newest<GroupRow>(database, query, "groups", groupsSql, status ?? null),
  ledger: ({ accountId, ...query }: NewestQuery & { readonly accountId: string }) =>
    newest<LedgerRow>(database, query, "ledger", ledgerSql, accountId),
  /** The newest balances of an account, oldest first. */
  balances: (accountId: string, max: number): BalancePoint[] => {
    const last = lastOf(database, "ledger", Number.MAX_SAFE_INTEGER, maxRows) ?? 0;
    const sql = `SELECT seq, created, newBalance FROM ledger NOT INDEXED
      WHERE accountId = ? AND seq >= ? ORDER BY seq DESC LIMIT ?`;
    return database.all<BalancePoint>(sql, [accountId, last, max]).reverse();
  },
  /** The number of cases that wait for the staff's decision. */
  inReview: (): number => database.number(inReviewSql),
  ...createProgressQueries(database),
});

const groupsSql = "SELECT t.* FROM groups t NOT INDEXED WHERE t.status = coalesce(?, t.status)";

const ledgerSql = `SELECT t.*, g.created AS groupCreated
  FROM ledger t NOT INDEXED LEFT JOIN groups g ON g.seq = t.groupSeq WHERE t.accountId = ?`;

/** A page of the rows `t` of a table, from a statement that ends with a condition on `value`. */
const newest = <R extends { readonly seq: number }>(
  database: Database,
  { from = Number.MAX_SAFE_INTEGER, limit }: NewestQuery,
  table: "groups" | "ledger",
  select: string,
  value: Value,
): NewestPage<R> => {
  const last = lastOf(database, table, from, maxRows);
  const rows = database.all<R>(
    `${select} AND t.seq <= ? AND t.seq >= ? ORDER BY t.seq DESC LIMIT ?`,
    [value, from, last ?? 0, limit + 1],
  );
  return paged(rows, limit, last);
};

const inReviewSql = `SELECT
  (SELECT count(*) FROM templates WHERE ${inState("'INSPECTING'")}) +
  (SELECT count(*) FROM quota_requests WHERE status = 'PENDING') +
  (SELECT count(*) FROM withdrawals WHERE status = 'PENDING') AS n`;

/** Messages of a group with the same code. */
interface CodeCount {
  readonly code: string;
  readonly count: number;
  /** Those that were reported recently. */
  readonly recent: number;
}

type FailedMessage = Pick<MessageRow, "recipient" | "updated"> & { readonly code: string };

/** Refused, or not received. */
export const failed = [...goodCodes.keys()].map(
  (code): Filter<"statusCode"> => ({ column: "statusCode", is: "ne", value: code }),
);

const createProgressQueries = (database: Database) => ({
  /** The groups of a run that has marked them, newest first. */
  groupsOfRun: (run: string, max: number): GroupRow[] =>
    database.all(
      `SELECT * FROM groups WHERE json_extract(customFields, '$."msg.run"') = ?
       ORDER BY seq DESC LIMIT ?`,
      [run, max],
    ),
  /** The progress of a group's messages; `since` is where "recent" begins. */
  codesOf: (groupSeq: number, since: number): CodeCount[] =>
    database.all(
      `SELECT m.statusCode AS code, count(*) AS count, total(m.reported >= ?) AS recent
       FROM batches b ${messagesOf} WHERE b.groupSeq = ? GROUP BY 1 ORDER BY 2 DESC`,
      [since, groupSeq],
    ),
  /** The newest failures of a group first. */
  lastFailures: (groupSeq: number, max: number): FailedMessage[] => {
    const values: Value[] = [groupSeq];
    return database.all(
      `SELECT m.recipient, m.statusCode AS code, m.updated FROM batches b ${messagesOf}
       WHERE b.groupSeq = ? AND ${whereOf(failed, values)}
       ORDER BY m.updated DESC, m.seq DESC LIMIT ?`,
      [...values, max],
    );
  },
});
