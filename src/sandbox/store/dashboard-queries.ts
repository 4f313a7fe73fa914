/** Groups and movements of money as the pages show them: in the order in which they came, newest first. */
import type { Database, Value } from "./driver.ts";
import type { GroupRow } from "./groups.ts";
import type { LedgerRow } from "./ledger.ts";
import type { PhonePage } from "./message-feed.ts";
import { limitClause } from "./sql-fragments.ts";

/** A group without what may be long: its log and its counts by type. */
export type GroupLine = Omit<GroupRow, "log" | "charge" | "customFields" | "hint" | "appProfit">;

export interface NewestQuery {
  /** Number of the row that the page begins with. */
  readonly from?: number | undefined;
  readonly limit: number;
}

/** A balance, from the instant of a movement on. */
export interface BalancePoint {
  readonly seq: number;
  readonly created: number;
  readonly newBalance: number;
}

/**
 * By number and not by time: business time may be moved back, and what came last stays last. Rows
 * that do not fit are passed over, so many at most for one page.
 */
export interface DashboardQueries {
  groups(query: NewestQuery & { readonly status?: string | undefined }): PhonePage<GroupLine>;
  ledger(query: NewestQuery & { readonly accountId: string }): PhonePage<LedgerRow>;
  /** The newest balances of an account, oldest first. */
  balances(accountId: string, max: number): BalancePoint[];
}

const mostRows = 100_000;

export const createDashboardQueries = (database: Database): DashboardQueries => ({
  groups: ({ status, ...query }) =>
    newest(database, query, {
      table: "groups",
      select: `SELECT ${groupColumns} FROM groups t`,
      ...(status !== undefined && { where: { term: "t.status = ?", value: status } }),
    }),
  ledger: ({ accountId, ...query }) =>
    newest(database, query, {
      table: "ledger",
      select:
        "SELECT t.*, g.created AS groupCreated FROM ledger t LEFT JOIN groups g ON g.seq = t.groupSeq",
      where: { term: "t.accountId = ?", value: accountId },
    }),
  balances: (accountId, max) =>
    database
      .all<BalancePoint>(
        `SELECT seq, created, newBalance FROM ledger NOT INDEXED
         WHERE accountId = ? AND seq >= ? ORDER BY seq DESC ${limitClause}`,
        accountId,
        lastOf(database, "ledger", Number.MAX_SAFE_INTEGER) ?? 0,
        max,
      )
      .reverse(),
});

const groupColumns = [
  "seq, accountId, status, strict, allowDuplicates, prepaid, appId, appVersion, sdkVersion",
  "osPlatform, created, updated, scheduled, sent, completed, registeredSuccess, registeredFailed",
  "sentTotal, sentPending, sentSuccess, sentFailed, sentReplacement, refunded, price",
  "balanceRequested, balanceReplacement, balanceRefund",
  "pointRequested, pointReplacement, pointRefund",
].join(", ");

interface Rows {
  readonly table: "groups" | "ledger";
  /** Its rows are called `t`. */
  readonly select: string;
  readonly where?: { readonly term: string; readonly value: Value };
}

const newest = <R extends { readonly seq: number }>(
  database: Database,
  { from = Number.MAX_SAFE_INTEGER, limit }: NewestQuery,
  { table, select, where = { term: "?", value: 1 } }: Rows,
): PhonePage<R> => {
  const last = lastOf(database, table, from);
  const rows = database.all<R>(
    `${select.replace(` ${table} t`, ` ${table} t NOT INDEXED`)}
     WHERE t.seq <= ? AND t.seq >= ? AND ${where.term} ORDER BY t.seq DESC ${limitClause}`,
    from,
    last ?? 0,
    where.value,
    limit + 1,
  );
  const next = rows[limit]?.seq ?? (last === undefined ? undefined : last - 1);
  return { rows: rows.slice(0, limit), next };
};

/** The number of the last row that is looked at, where there are more behind it. */
const lastOf = (database: Database, table: Rows["table"], from: number): number | undefined =>
  database.get<{ seq: number }>(
    `SELECT seq FROM ${table} WHERE seq <= ? ORDER BY seq DESC LIMIT 1 OFFSET ?`,
    from,
    mostRows,
  )?.seq;
