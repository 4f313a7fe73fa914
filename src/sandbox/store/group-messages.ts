/** What is done to the messages of a group before it is sent. */
import { groupOf, messagesOf, runInGroup } from "./batches.ts";
import type { Database } from "./driver.ts";
import type { MessageRow } from "./messages.ts";

/** A message that was removed. */
export type RemovedMessage = Pick<MessageRow, "seq" | "type" | "country" | "statusCode" | "price">;

/** Accepted messages of one type and country, and what they cost together. */
export interface AcceptedCount {
  readonly type: string;
  readonly country: string;
  readonly count: number;
  readonly price: number;
}

export const createGroupMessages = (database: Database) => ({
  /**
   * Those of the recipients that the group has accepted already, each once a country. By recipient: the
   * group may hold a million messages, the call at most 10,000 numbers.
   */
  accepted: (
    groupSeq: number,
    recipients: readonly string[],
  ): Pick<MessageRow, "recipient" | "country">[] =>
    database.all(acceptedSql, JSON.stringify(recipients), groupSeq),
  /** Removes messages of the group; numbers of others are passed over. */
  remove: (groupSeq: number, seqs: readonly number[]): RemovedMessage[] =>
    database.all(removeSql, JSON.stringify(seqs), groupSeq),
  /**
   * Accepts again what was stopped with this code after it had been accepted. A recipient may force the
   * same code at registration: that message was never accepted.
   */
  reopen: (groupSeq: number, statusCode: string, at: number): void =>
    runInGroup(
      database,
      groupSeq,
      `UPDATE messages SET statusCode = '2000', updated = ?
       WHERE statusCode = ? AND outcome <> statusCode AND seq BETWEEN ? AND ?`,
      at,
      statusCode,
    ),
  /** What is accepted and not yet handed over. */
  counts: (groupSeq: number): AcceptedCount[] =>
    database.all(
      `SELECT type, country, count(*) AS count, sum(price) AS price
       FROM batches b ${messagesOf}
       WHERE b.groupSeq = ? AND m.statusCode = '2000' GROUP BY type, country`,
      groupSeq,
    ),
});

const acceptedSql = `SELECT DISTINCT m.recipient, m.country
  FROM (SELECT DISTINCT value FROM json_each(?)) AS r
  CROSS JOIN messages m INDEXED BY messages_by_recipient ON m.recipient = r.value
  WHERE ${groupOf("m.seq")} = ? AND m.statusCode = '2000'`;

const removeSql = `DELETE FROM messages
  WHERE seq IN (SELECT value FROM json_each(?)) AND ${groupOf("seq")} = ?
  RETURNING seq, type, country, statusCode, price`;
