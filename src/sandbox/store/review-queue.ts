/** What waits for the service's staff, of all accounts: the oldest first, as it is worked off. */
import type { Database } from "./driver.ts";
import type { QuotaRequestRow } from "./quotas.ts";
import { limitClause } from "./sql-fragments.ts";
import { type StoredTemplate, type TemplateRow, templateOf } from "./templates.ts";
import type { WithdrawalRow } from "./withdrawals.ts";

export interface ReviewQueue {
  templates(limit: number): TemplateRow[];
  /** Templates of every state, the one that changed last first. */
  changed(limit: number): TemplateRow[];
  quotaRequests(limit: number): QuotaRequestRow[];
  withdrawals(limit: number): WithdrawalRow[];
  /** How many there are altogether. */
  count(): number;
}

/** A template waits where one of its providers has it. */
const inReview = `EXISTS (SELECT 1 FROM json_each(templates.codes) AS entry
  WHERE json_extract(entry.value, '$.status') = 'INSPECTING')`;

const countSql = `SELECT
  (SELECT count(*) FROM templates WHERE ${inReview}) +
  (SELECT count(*) FROM quota_requests WHERE status = 'PENDING') +
  (SELECT count(*) FROM withdrawals WHERE status = 'PENDING') AS count`;

export const createReviewQueue = (database: Database): ReviewQueue => ({
  templates: (limit) =>
    database
      .all<StoredTemplate>(
        `SELECT * FROM templates WHERE ${inReview} ORDER BY updated, templateId ${limitClause}`,
        limit,
      )
      .map(templateOf),
  changed: (limit) =>
    database
      .all<StoredTemplate>(
        `SELECT * FROM templates ORDER BY updated DESC, templateId DESC ${limitClause}`,
        limit,
      )
      .map(templateOf),
  quotaRequests: (limit) =>
    database.all(
      `SELECT * FROM quota_requests WHERE status = 'PENDING' ORDER BY handleKey ${limitClause}`,
      limit,
    ),
  withdrawals: (limit) =>
    database.all(
      `SELECT * FROM withdrawals WHERE status = 'PENDING' ORDER BY seq ${limitClause}`,
      limit,
    ),
  count: () => database.get<{ count: number }>(countSql)?.count ?? 0,
});
