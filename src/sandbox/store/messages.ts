/** Messages as they are stored, and what happens to all of a group at once. */
import { type Batch, batchesOf, groupOf, messagesOf, runInGroup } from "./batches.ts";
import type { Database } from "./driver.ts";
import { insertRow } from "./rows.ts";

export interface MessageRow {
  readonly seq: number;
  readonly groupSeq: number;
  readonly accountId: string;
  readonly recipient: string;
  readonly sender: string;
  readonly text: string;
  /** Upper case. */
  readonly type: string;
  readonly country: string;
  readonly statusCode: string;
  /** The code that it ends with. */
  readonly outcome: string;
  /** Won; 0 where it was refused at registration. */
  readonly price: number;
  readonly replacement: number;
  readonly resendCount: number;
  readonly created: number;
  readonly updated: number;
  /** When it was handed to the carrier; null before. */
  readonly processed: number | null;
  /** When the carrier reported. */
  readonly reported: number | null;
  /** JSON of the members that few messages have; null where there are none. */
  readonly options: string | null;
  /** When its group was created: its id follows from that. */
  readonly groupCreated: number;
}

/** A message as it is registered; refused where its code begins with 1. */
export type NewMessage = Pick<
  MessageRow,
  "recipient" | "sender" | "text" | "type" | "country" | "statusCode" | "outcome" | "price"
> & { readonly options: Readonly<Record<string, unknown>> | null };

type MessagePlace = Pick<MessageRow, "accountId" | "groupSeq" | "created">;

/** A message that was removed. */
export type RemovedMessage = Pick<MessageRow, "seq" | "type" | "country" | "statusCode" | "price">;

/** Accepted messages of one type and country, and what they cost together. */
export interface AcceptedCount {
  readonly type: string;
  readonly country: string;
  readonly count: number;
  readonly price: number;
}

export const createMessages = (database: Database) => ({
  ...createUnsent(database),
  /** Inserts in one statement, numbered from `firstSeq` on. */
  insert: (batch: Batch, messages: readonly NewMessage[]): void =>
    insertMessages(database, batch, messages),
  /** Account, group and time of creation of a message. */
  place: (seq: number): MessagePlace | undefined =>
    database.get(
      `SELECT b.accountId, b.groupSeq, m.created FROM messages m ${batchesOf} WHERE m.seq = ?`,
      seq,
    ),
});

/** What is done to the messages of a group before it is sent. */
const createUnsent = (database: Database) => ({
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

const insertMessages = (
  database: Database,
  { firstSeq, groupSeq, accountId, created, replacement = false }: Batch,
  messages: readonly NewMessage[],
): void => {
  if (messages.length === 0) return;
  const lastSeq = firstSeq + messages.length - 1;
  insertRow(database, "batches", { firstSeq, lastSeq, groupSeq, accountId, created });
  const json = wellFormed(JSON.stringify(messages));
  database.run(insertSql, firstSeq, created, Number(replacement), json);
};

/** Out of `json_each` itself a value would be parsed again for every mention: the offset prevents it. */
const insertSql = `INSERT INTO messages (seq, created, updated, replacement, recipient, sender, text,
    type, country, statusCode, outcome, price, options)
  SELECT ?1 + key, ?2, ?2, ?3, value->>'recipient', value->>'sender', value->>'text',
    value->>'type', value->>'country', value->>'statusCode', value->>'outcome', value->>'price',
    value->>'options'
  FROM (SELECT key, value FROM json_each(?4) LIMIT -1 OFFSET 0)`;

/** JSON.stringify escapes half surrogate pairs and nothing else that begins with `\ud`. */
const wellFormed = (json: string): string =>
  !json.includes("\\ud")
    ? json
    : json.replaceAll(/\\(?:(ud[89a-f][0-9a-f]{2})|.)/g, (found, half) =>
        half === undefined ? found : "\\ufffd",
      );

const acceptedSql = `SELECT DISTINCT m.recipient, m.country
  FROM (SELECT DISTINCT value FROM json_each(?)) AS r
  CROSS JOIN messages m INDEXED BY messages_by_recipient ON m.recipient = r.value
  WHERE ${groupOf("m.seq")} = ? AND m.statusCode = '2000'`;

const removeSql = `DELETE FROM messages
  WHERE seq IN (SELECT value FROM json_each(?)) AND ${groupOf("seq")} = ?
  RETURNING seq, type, country, statusCode, price`;
