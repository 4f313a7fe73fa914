/** Messages as they are stored, and what happens to all of a group at once. */
import { type Batch, batchesOf, groupOf, messagesOf, rangesOf, runInGroup } from "./batches.ts";
import type { Database } from "./driver.ts";
import type { GroupRow } from "./groups.ts";
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

/** How many messages of a group stand at a code, and what they cost. */
export interface Tally {
  readonly statusCode: string;
  /** 1 where they were handed to the carrier or refused by the platform. */
  readonly processed: number;
  readonly count: number;
  readonly price: number;
}

/** What of a group decides how its messages are carried. */
type CarriedGroup = Pick<GroupRow, "seq" | "replaceable">;

/** When a step is made, and before when the one in front of it: each takes its tick. */
export interface DeliveryStep {
  readonly at: number;
  readonly before: number;
}

type MessagePlace = Pick<MessageRow, "accountId" | "groupSeq" | "created">;

/** A failed message, with what a message in its place is made of. */
export type ReplaceableRow = Pick<
  MessageRow,
  "seq" | "recipient" | "sender" | "text" | "type" | "country" | "options"
>;

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
  /** Refuses whatever of a group is accepted and not yet handed over. */
  refuse: (groupSeq: number, statusCode: string, at: number): void =>
    runInGroup(
      database,
      groupSeq,
      `UPDATE messages SET statusCode = ?, updated = ?
       WHERE statusCode = '2000' AND seq BETWEEN ? AND ?`,
      statusCode,
      at,
    ),
  /**
   * Hands over to the carrier; those whose outcome is 2xxx end here. Returns the failed ones
   * that have replacements.
   */
  handOver: (group: CarriedGroup, when: DeliveryStep): ReplaceableRow[] =>
    handOver(database, group, when),
  /** Reports how what the carrier has ended. Returns the same. */
  report: (group: CarriedGroup, when: DeliveryStep): ReplaceableRow[] =>
    report(database, group, when),
  tally: (groupSeq: number): Tally[] =>
    database.all(
      `SELECT statusCode, processed IS NOT NULL AS processed, count(*) AS count, sum(price) AS price
       FROM batches b ${messagesOf} WHERE b.groupSeq = ? GROUP BY 1, 2`,
      groupSeq,
    ),
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

const handOver = (
  database: Database,
  group: CarriedGroup,
  when: DeliveryStep,
): ReplaceableRow[] => {
  const { at, before } = when;
  // What is sent in place of another may come to be while the rest of the group is on its way.
  const waiting = "statusCode = '2000' AND outcome <> '2000' AND (replacement = 0 OR created < ?)";
  const failed = `${waiting} AND outcome LIKE '2%'`;
  const rows = failReplaceable(database, failed, "processed", group, when);
  runInGroup(
    database,
    group.seq,
    `UPDATE messages SET statusCode = CASE WHEN outcome LIKE '2%' THEN outcome ELSE '3000' END,
       processed = ?, updated = ?
     WHERE ${waiting} AND seq BETWEEN ? AND ?`,
    at,
    at,
    before,
  );
  return rows;
};

const report = (database: Database, group: CarriedGroup, when: DeliveryStep): ReplaceableRow[] => {
  const { at, before } = when;
  const carried = "statusCode = '3000' AND outcome <> '3000' AND processed < ?";
  const failed = `${carried} AND outcome <> '4000'`;
  const rows = failReplaceable(database, failed, "reported", group, when);
  runInGroup(
    database,
    group.seq,
    `UPDATE messages SET statusCode = outcome, reported = ?, updated = ?
     WHERE ${carried} AND seq BETWEEN ? AND ?`,
    at,
    at,
    before,
  );
  return rows;
};

/**
 * Only Kakao messages, and those that bring replacements along, are ever replaced. The
 * condition takes `before`.
 */
const failReplaceable = (
  database: Database,
  failed: string,
  column: "processed" | "reported",
  { seq, replaceable }: CarriedGroup,
  { at, before }: DeliveryStep,
): ReplaceableRow[] => {
  if (replaceable === 0) return [];
  return rangesOf(database, seq).flatMap(({ firstSeq, lastSeq }) =>
    database.all<ReplaceableRow>(
      `UPDATE messages SET statusCode = outcome, ${column} = ?, updated = ?
       WHERE ${failed} AND seq BETWEEN ? AND ?
         AND (type IN ('ATA', 'CTA', 'CTI') OR options LIKE '%"replacements"%')
       RETURNING seq, recipient, sender, text, type, country, options`,
      at,
      at,
      before,
      firstSeq,
      lastSeq,
    ),
  );
};

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
