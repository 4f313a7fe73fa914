/** How many messages an account may send a day, and its requests for more. */
import type { quotaStatuses } from "../../contract/quota.ts";
import type { Database } from "./driver.ts";
import { type RowsQuery, rowsById } from "./filters.ts";

export interface QuotaRow {
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

export type QuotaColumn = "handleKey" | "status" | "created" | "updated";

export type QuotaQuery = RowsQuery<QuotaColumn>;

export interface Quotas {
  read(accountId: string): QuotaRow | undefined;
  set(accountId: string, quota: number, at: number): void;
  insert(request: QuotaRequestRow): void;
  request(handleKey: string): QuotaRequestRow | undefined;
  /** Newest first. */
  list(query: QuotaQuery): QuotaRequestRow[];
  decide(
    request: Pick<QuotaRequestRow, "handleKey" | "status" | "reasonRejected" | "updated">,
  ): void;
  /** Requests of an account that await a decision. */
  pending(accountId: string): QuotaRequestRow[];
}

const columns = [
  "handleKey",
  "accountId",
  "status",
  "requestedQuota",
  "reasonRequested",
  "reasonRejected",
  "fileIds",
  "created",
  "updated",
] as const satisfies readonly (keyof QuotaRequestRow)[];

const insertSql = `INSERT INTO quota_requests (${columns.join(", ")})
  VALUES (${columns.map(() => "?").join(", ")})`;

export const createQuotas = (database: Database): Quotas => ({
  read: (accountId) =>
    database.get(
      `SELECT a.accountId, a.quota, q.created, q.updated
       FROM accounts a JOIN quotas q USING (accountId) WHERE a.accountId = ?`,
      accountId,
    ),
  set: (accountId, quota, at) => {
    database.invalidateSnapshot();
    database.run("UPDATE accounts SET quota = ? WHERE accountId = ?", quota, accountId);
    database.run(
      `INSERT INTO quotas (accountId, created, updated) VALUES (?, ?, ?)
       ON CONFLICT (accountId) DO UPDATE SET updated = excluded.updated`,
      accountId,
      at,
      at,
    );
  },
  insert: (row) => void database.run(insertSql, ...columns.map((name) => row[name])),
  request: (handleKey) =>
    database.get("SELECT * FROM quota_requests WHERE handleKey = ?", handleKey),
  list: (query) => rowsById(database, { table: "quota_requests", id: "handleKey" }, query),
  decide: ({ handleKey, status, reasonRejected, updated }) =>
    void database.run(
      "UPDATE quota_requests SET status = ?, reasonRejected = ?, updated = ? WHERE handleKey = ?",
      status,
      reasonRejected,
      updated,
      handleKey,
    ),
  pending: (accountId) =>
    database.all(
      "SELECT * FROM quota_requests WHERE accountId = ? AND status = 'PENDING'",
      accountId,
    ),
});
