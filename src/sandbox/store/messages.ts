/** Messages as they are stored, their lists, and what happens to all of a group at once. */
import { type Batch, groupOf, messageRows, messagesBy, messagesOf, type Range } from "./batches.ts";
import type { Database, Value } from "./driver.ts";
import {
  type Cursor,
  type Filter,
  insertRow,
  type PageQuery,
  type Times,
  whereOf,
} from "./rows.ts";
import { takeNumbers } from "./settings.ts";

export interface MessageRow extends Times {
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
  /** Its final status code. */
  readonly outcome: string;
  /** Won; 0 if it was refused at registration. */
  readonly price: number;
  readonly replacement: number;
  readonly resendCount: number;
  /** When it was handed to the carrier; null before. */
  readonly processed: number | null;
  /** When the carrier reported. */
  readonly reported: number | null;
  /** JSON of the members that few messages have; null if there are none. */
  readonly options: string | null;
  /** When its group was created: its id follows from that. */
  readonly groupCreated: number;
}

const registeredColumns = [
  "recipient",
  "sender",
  "text",
  "type",
  "country",
  "statusCode",
  "outcome",
  "price",
] as const;

/** A message as it is registered; refused if its code begins with 1. */
export type NewMessage = Pick<MessageRow, (typeof registeredColumns)[number]> & {
  readonly options: Readonly<Record<string, unknown>> | null;
};

const removedColumns = ["seq", "type", "country", "statusCode", "price"] as const;
export type RemovedMessage = Pick<MessageRow, (typeof removedColumns)[number]>;

/** Accepted messages of one type and country, and what they cost together. */
export type AcceptedCount = Pick<MessageRow, "type" | "country" | "price"> & {
  readonly count: number;
};

export const createMessages = (database: Database) => ({
  /** Inserts in one statement, numbered in a row; returns the first number. */
  insert: (
    { groupSeq, accountId, created, replacement = false }: Batch,
    messages: readonly NewMessage[],
  ): number => {
    const firstSeq = takeNumbers(database, "message", messages.length);
    if (messages.length === 0) return firstSeq;
    const lastSeq = firstSeq + messages.length - 1;
    insertRow(database, "batches", { firstSeq, lastSeq, groupSeq, accountId, created });
    const rows = messages.map((message) => newColumns.map((column) => message[column]));
    const json = wellFormed(JSON.stringify(rows));
    database.run(insertSql, [firstSeq, created, Number(replacement), json]);
    return firstSeq;
  },
  list: (query: MessageQuery): MessageRow[] => list(database, query),
  read: (seq: number): MessageRow | undefined =>
    database.get(`${messageRows()} WHERE m.seq = ?`, [seq]),
  ...createUnsent(database),
});

/** Operations on the messages of a group before it is sent. */
const createUnsent = (database: Database) => ({
  /**
   * The recipients that the group has accepted already, each once per country. By recipient: the group
   * may hold a million messages, the call at most 10,000 numbers.
   */
  accepted: (
    groupSeq: number,
    recipients: readonly string[],
  ): Pick<MessageRow, "recipient" | "country">[] =>
    database.all(acceptedSql, [JSON.stringify(recipients), groupSeq]),
  /** Removes messages of the group; other numbers are ignored. */
  remove: (groupSeq: number, seqs: readonly number[]): RemovedMessage[] =>
    database.all(removeSql, [JSON.stringify(seqs), groupSeq]),
  /**
   * Accepts messages again that were stopped with this code after acceptance. A recipient may force the
   * same code at registration: such a message was never accepted.
   */
  reopen: (groupSeq: number, statusCode: string, at: number): void => {
    const sql = "SELECT firstSeq, lastSeq FROM batches WHERE groupSeq = ?";
    for (const { firstSeq, lastSeq } of database.all<Range>(sql, [groupSeq]))
      database.run(reopenSql, [at, statusCode, firstSeq, lastSeq]);
  },
  /** The messages that are accepted and not yet handed over. */
  counts: (groupSeq: number): AcceptedCount[] =>
    database.all(
      `SELECT type, country, count(*) AS count, sum(price) AS price
       FROM batches b ${messagesOf}
       WHERE b.groupSeq = ? AND m.statusCode = '2000' GROUP BY type, country`,
      [groupSeq],
    ),
});

const newColumns = [...registeredColumns, "options"] as const;

/** Directly from `json_each` a value would be parsed again at every mention: the offset prevents that. */
const insertSql = `INSERT INTO messages (seq, created, updated, replacement, ${newColumns.join(", ")})
  SELECT ?1 + key, ?2, ?2, ?3, ${newColumns.map((_, at) => `value->>${at}`).join(", ")}
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

const reopenSql = `UPDATE messages SET statusCode = '2000', updated = ?
  WHERE statusCode = ? AND outcome <> statusCode AND seq BETWEEN ? AND ?`;

const removeSql = `DELETE FROM messages
  WHERE seq IN (SELECT value FROM json_each(?)) AND ${groupOf("seq")} = ?
  RETURNING ${removedColumns.join(", ")}`;

/** Columns that a list may be filtered by. */
export type MessageColumn = Exclude<keyof MessageRow, "accountId" | "groupCreated">;

type MessageQuery = PageQuery<MessageColumn, Cursor>;

/** Rows in the order of dateCreated, then of id, both descending. */
const list = (database: Database, { from, ...query }: MessageQuery): MessageRow[] => {
  if (from === undefined) return select(database, query);
  const created = (is: "eq" | "lt"): Filter<MessageColumn>[] => [
    ...query.filters,
    { column: "created", is, value: from.created },
  ];
  // Two ranges of the index: as one, SQLite would walk all rows of that instant to find `seq`.
  const first = select(database, { ...query, filters: created("eq") }, from.seq);
  const limit = query.limit - first.length;
  if (limit === 0) return first;
  return [...first, ...select(database, { ...query, filters: created("lt"), limit })];
};

/** Rows up to the number `last`. */
const select = (
  database: Database,
  { accountId, filters, limit }: Omit<MessageQuery, "from">,
  last = Number.MAX_SAFE_INTEGER,
): MessageRow[] => {
  const { source, order, created } = accessFor(filters);
  const values: Value[] = [last, accountId];
  const where = whereOf(filters, values, (column) =>
    column === "created" ? created : `${column === "groupSeq" ? "b" : "m"}.${column}`,
  );
  return database.all<MessageRow>(
    `${messageRows(source)} WHERE b.accountId = ? AND ${where} ORDER BY ${order} LIMIT ?`,
    [...values, limit],
  );
};

/**
 * The access path to the rows of a list, newest first: messages `m` up to the number ?1, and their batches
 * `b`; `created` is the column with the index's time.
 */
const byBatch = (index: string) => ({
  source: `batches b INDEXED BY ${index}
    CROSS JOIN messages m ON b.firstSeq <= ?1 AND m.seq BETWEEN b.firstSeq AND min(b.lastSeq, ?1)`,
  order: "b.created DESC, b.firstSeq DESC, m.seq DESC",
  created: "b.created",
});

const byMessage = (how: string) => ({
  source: `${messagesBy(how)} AND m.seq <= ?1`,
  order: "m.created DESC, m.seq DESC",
  created: "m.created",
});

/** The access path that reads the fewest rows: SQLite has no statistics to find it itself. */
const accessFor = (filters: readonly Filter<MessageColumn>[]) => {
  const isFixed = (column: MessageColumn): boolean =>
    filters.some((it) => it.column === column && it.is === "eq");
  const byId = filters.some(({ column, is }) => column === "seq" && (is === "eq" || is === "in"));
  if (byId) return byMessage("NOT INDEXED");
  if (isFixed("recipient")) return byMessage("INDEXED BY messages_by_recipient");
  return byBatch(isFixed("groupSeq") ? "batches_by_group" : "batches_by_account");
};
