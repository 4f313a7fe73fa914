/** Messages as they are stored, and what happens to all of a group at once. */
import { type Batch, batchesOf, insertBatch, messagesOf, rangesOf, runInGroup } from "./batches.ts";
import type { Database } from "./driver.ts";
import type { GroupRow } from "./groups.ts";
import { elementsOf } from "./sql-fragments.ts";

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

/** What differs from message to message of one call, in the order in which it is written. */
export type NewMessage = readonly [
  recipient: string,
  sender: string,
  text: string,
  type: string,
  country: string,
  statusCode: string,
  outcome: string,
  price: number,
  options: Readonly<Record<string, unknown>> | null,
];

/** How many messages of a group stand at a code, and what they cost. */
export interface Tally {
  readonly statusCode: string;
  /** 1 where they were handed to the carrier or refused by the platform. */
  readonly processed: number;
  readonly count: number;
  readonly price: number;
}

export interface Messages {
  /** Inserts in one statement, numbered from `firstSeq` on. */
  insert(batch: Batch, messages: readonly NewMessage[]): void;
  /** Refuses whatever of a group is accepted and not yet handed over. */
  refuse(groupSeq: number, statusCode: string, at: number): void;
  /**
   * Hands over to the carrier; those whose outcome is 2xxx end here. Returns the failed ones that
   * others may be sent in place of, where the group has any.
   */
  handOver(group: CarriedGroup, when: DeliveryStep): ReplaceableRow[];
  /** Reports how what the carrier has ended. Returns the same. */
  report(group: CarriedGroup, when: DeliveryStep): ReplaceableRow[];
  tally(groupSeq: number): Tally[];
  /** Account and time of creation of a message. */
  place(seq: number): MessagePlace | undefined;
}

/** What of a group decides how its messages are carried. */
export type CarriedGroup = Pick<GroupRow, "seq" | "replaceable">;

/** When a step is made, and before when the one in front of it: each takes its tick. */
export interface DeliveryStep {
  readonly at: number;
  readonly before: number;
}

export interface MessagePlace {
  readonly accountId: string;
  readonly groupSeq: number;
  readonly created: number;
}

/** A failed message, with what a message in its place is made of. */
export type ReplaceableRow = Pick<
  MessageRow,
  "seq" | "recipient" | "sender" | "text" | "type" | "country" | "options"
>;

export const createMessages = (database: Database): Messages => ({
  insert: (batch, messages) => insertMessages(database, batch, messages),
  refuse: (groupSeq, statusCode, at) =>
    runInGroup(
      database,
      groupSeq,
      `UPDATE messages SET statusCode = ?, updated = ?
       WHERE statusCode = '2000' AND seq BETWEEN ? AND ?`,
      statusCode,
      at,
    ),
  handOver: (group, when) => handOver(database, group, when),
  report: (group, when) => report(database, group, when),
  tally: (groupSeq) =>
    database.all<Tally>(
      `SELECT statusCode, processed IS NOT NULL AS processed, count(*) AS count, sum(price) AS price
       FROM batches b ${messagesOf} WHERE b.groupSeq = ? GROUP BY 1, 2`,
      groupSeq,
    ),
  place: (seq) =>
    database.get(
      `SELECT b.accountId, b.groupSeq, m.created FROM messages m ${batchesOf} WHERE m.seq = ?`,
      seq,
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

const bound = (value: NewMessage[number]): string | number | null => {
  if (typeof value === "string") return value.toWellFormed();
  return typeof value === "object" && value !== null ? wellFormed(JSON.stringify(value)) : value;
};

const insertMessages = (
  database: Database,
  batch: Batch,
  messages: readonly NewMessage[],
): void => {
  const { firstSeq, created, replacement = false } = batch;
  const shared = [firstSeq, created, Number(replacement)] as const;
  const [first] = messages;
  if (first === undefined) return;
  insertBatch(database, batch, messages.length);
  if (messages.length === 1) {
    database.run(insertOne, ...shared, ...first.map(bound));
    return;
  }
  if (!messages.every((it) => isAlike(it, first))) {
    database.run(insertEach, ...shared, wellFormed(JSON.stringify(messages)));
    return;
  }
  const [, sender, , type, country, statusCode, outcome, price] = first;
  const own = messages.map(([recipient, , text, , , , , , options]) => [recipient, text, options]);
  const values = [sender, type, country, statusCode, outcome, price].map((it) =>
    typeof it === "string" ? it.toWellFormed() : it,
  );
  database.run(insertAlike, ...shared, wellFormed(JSON.stringify(own)), ...values);
};

/** Most calls say one thing to many: what the messages share is not read from JSON for each. */
const isAlike = (left: NewMessage, right: NewMessage): boolean =>
  left[1] === right[1] &&
  left[3] === right[3] &&
  left[4] === right[4] &&
  left[5] === right[5] &&
  left[6] === right[6] &&
  left[7] === right[7];

const insertInto = `INSERT INTO messages (seq, created, updated, replacement, recipient, sender, text,
  type, country, statusCode, outcome, price, options)`;

/** A single message is bound as it is: reading it out of JSON costs as much as storing it. */
const insertOne = `${insertInto}
  VALUES (?1, ?2, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)`;

const insertEach = `${insertInto}
  SELECT ?1 + key, ?2, ?2, ?3, value->>0, value->>1, value->>2, value->>3, value->>4, value->>5,
    value->>6, value->>7, value->>8
  FROM ${elementsOf("?4")}`;

const insertAlike = `${insertInto}
  SELECT ?1 + key, ?2, ?2, ?3, value->>0, ?5, value->>1, ?6, ?7, ?8, ?9, ?10, value->>2
  FROM ${elementsOf("?4")}`;

/** JSON.stringify escapes half surrogate pairs and nothing else that begins with `\ud`. */
const wellFormed = (json: string): string =>
  !json.includes("\\ud")
    ? json
    : json.replaceAll(/\\(?:(ud[89a-f][0-9a-f]{2})|.)/g, (found, half) =>
        half === undefined ? found : "\\ufffd",
      );
