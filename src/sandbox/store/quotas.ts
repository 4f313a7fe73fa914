/** How many messages an account may send a day, and its requests for more. */
import type { quotaStatuses } from "../../contract/quota.ts";
import type { Database } from "./driver.ts";
import { type RowsQuery, rowsById } from "./filters.ts";
import { insertRow, updateRow } from "./rows.ts";

interface QuotaRow {
  readonly accountId: string;
  /** Messages a day of UTC+9. */
  readonly quota: number;
  readonly created: number;
  readonly updated: number;
}

export interface QuotaRequestRow {
  readonly handleKey: string;
  readonly accountId: string;
  readonly status: (typeof quotaStatuses)[number];
  readonly requestedQuota: number;
  readonly reasonRequested: string | null;
  readonly reasonRejected: string | null;
  /** JSON array. */
  readonly fileIds: string;
  readonly created: number;
  readonly updated: number;
}

type QuotaQuery = RowsQuery<"handleKey" | "status" | "created" | "updated">;

export const createQuotas = (database: Database) => ({
  read: (accountId: string): QuotaRow | undefined =>
    database.get(
      `SELECT a.accountId, a.quota, q.created, q.updated
       FROM accounts a JOIN quotas q USING (accountId) WHERE a.accountId = ?`,
      accountId,
    ),
  set: (accountId: string, quota: number, at: number): void => {
    updateRow(database, "accounts", "accountId", { accountId, quota });
    const touch = "ON CONFLICT (accountId) DO UPDATE SET updated = excluded.updated";
    insertRow(database, "quotas", { accountId, created: at, updated: at }, touch);
  },
  insert: (row: QuotaRequestRow): void => insertRow(database, "quota_requests", row),
  request: (handleKey: string): QuotaRequestRow | undefined =>
    database.get("SELECT * FROM quota_requests WHERE handleKey = ?", handleKey),
  /** Newest first. */
  list: (query: QuotaQuery): QuotaRequestRow[] =>
    rowsById(database, { table: "quota_requests", id: "handleKey" }, query),
  decide: (request: QuotaRequestRow): void =>
    updateRow(database, "quota_requests", "handleKey", request),
  /** Requests of an account that await a decision. */
  pending: (accountId: string): QuotaRequestRow[] =>
    database.all(
      "SELECT * FROM quota_requests WHERE accountId = ? AND status = 'PENDING'",
      accountId,
    ),
});
