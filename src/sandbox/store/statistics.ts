/** Sums of messages and money by day of UTC+9. */
import { dayMs, seoulOffsetMs } from "../../contract/time.ts";
import { messagesOf } from "./batches.ts";
import type { Database } from "./driver.ts";

/** An account between two instants, both included: milliseconds since 1970. */
export interface TimeSpan {
  readonly accountId: string;
  readonly from: number;
  readonly until: number;
}

/** One day and group kind. */
interface DayRow {
  /** Days since 1970 in UTC+9. */
  readonly day: number;
  readonly appId: string | null;
  readonly prepaid: number;
  /** When the first of the summed messages was created. */
  readonly first: number;
}

/** Messages by type and status code. */
export interface CountRow extends DayRow {
  readonly type: string;
  readonly statusCode: string;
  readonly count: number;
}

/** What was spent on messages, and what was refunded. */
export interface MoneyRow extends DayRow {
  readonly balance: number;
  readonly point: number;
  readonly refundBalance: number;
  readonly refundPoint: number;
}

const day = (column: string): string => `(${column} + ${seoulOffsetMs}) / ${dayMs}`;

export const createStatistics = (database: Database) => ({
  counts: ({ accountId, from, until }: TimeSpan): CountRow[] =>
    database.all(
      `SELECT ${day("b.created")} AS day, g.appId, g.prepaid, m.type, m.statusCode,
         count(*) AS count, min(b.created) AS first
       FROM batches b INDEXED BY batches_by_account ${messagesOf}
       CROSS JOIN groups g ON g.seq = b.groupSeq
       WHERE b.accountId = ? AND b.created BETWEEN ? AND ? AND g.status <> 'DELETED'
       GROUP BY 1, 2, 3, 4, 5 ORDER BY 1`,
      [accountId, from, until],
    ),
  money: ({ accountId, from, until }: TimeSpan): MoneyRow[] =>
    database.all(
      `SELECT ${day("l.created")} AS day, g.appId, g.prepaid, min(l.created) AS first,
         sum(max(-l.balanceAmount, 0)) AS balance, sum(max(-l.pointAmount, 0)) AS point,
         sum(max(l.balanceAmount, 0)) AS refundBalance, sum(max(l.pointAmount, 0)) AS refundPoint
       FROM ledger l CROSS JOIN groups g ON g.seq = l.groupSeq
       WHERE l.accountId = ? AND l.created BETWEEN ? AND ? GROUP BY 1, 2, 3 ORDER BY 1`,
      [accountId, from, until],
    ),
});
