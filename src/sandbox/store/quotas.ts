/** How many messages an account may send a day and has sent, and its requests for more. */
import type { QuotaRequest, quotaStatuses } from "../../contract/account.ts";
import type { Database } from "./driver.ts";
import { createTable, insertRow, type Times } from "./rows.ts";

export interface QuotaRequestRow
  extends Readonly<Omit<QuotaRequest, "dateCreated" | "dateUpdated">>,
    Times {
  readonly status: (typeof quotaStatuses)[number];
}

/** When the quota of an account was set; the account holds the amount. */
type QuotaRow = Pick<QuotaRequestRow, "accountId" | "created" | "updated">;

export const createQuotas = (database: Database) => ({
  read: createTable<QuotaRow>(database, "quotas", "accountId").read,
  set: (accountId: string, quota: number, at: number): void => {
    database.run("UPDATE accounts SET quota = ? WHERE accountId = ?", [quota, accountId]);
    const touch = "ON CONFLICT (accountId) DO UPDATE SET updated = excluded.updated";
    insertRow(database, "quotas", { accountId, created: at, updated: at }, touch);
  },
  /** Messages sent on a day (`seoulDay`). */
  sentOn: (accountId: string, day: string): number => {
    const sql = "SELECT sent AS n FROM days WHERE accountId = ? AND day = ?";
    return database.number(sql, [accountId, day]);
  },
  addSent: (accountId: string, day: string, sent: number): void => {
    const sum = "ON CONFLICT (accountId, day) DO UPDATE SET sent = sent + excluded.sent";
    insertRow(database, "days", { accountId, day, sent }, sum);
  },
});

export const createQuotaRequests = (database: Database) => {
  const requests = createTable<QuotaRequestRow, "fileIds">(
    database,
    "quota_requests",
    "handleKey",
    ["fileIds"],
  );
  return {
    ...requests,
    pending: (accountId: string): QuotaRequestRow[] =>
      requests.select("WHERE accountId = ? AND status = 'PENDING'", [accountId]),
    /** Those of all accounts, the oldest first. */
    inReview: (limit: number): QuotaRequestRow[] =>
      requests.select("WHERE status = 'PENDING' ORDER BY handleKey LIMIT ?", [limit]),
  };
};
