/** Messages of all accounts, newest first: received by phones, the service's own notices, and all of them. */
import { messageRows, messagesBy } from "./batches.ts";
import type { Database, Value } from "./driver.ts";
import type { MessageRow } from "./messages.ts";
import {
  type Cursor,
  type Filter,
  lastOf,
  type NewestPage,
  type NewestQuery,
  newestCursor,
  paged,
  whereOf,
} from "./rows.ts";
import { takeNumbers } from "./settings.ts";

/** The newest message of a phone. */
export type PhoneRow = Pick<
  MessageRow,
  "seq" | "recipient" | "sender" | "text" | "type" | "statusCode" | "created"
>;

export interface FeedQuery extends NewestQuery {
  /** All of them must hold. */
  readonly filters: readonly Filter<keyof PhoneRow>[];
}

/** A notice of the service to the owner of an account. */
type Notice = Pick<MessageRow, "accountId" | "type" | "text" | "created">;

/** The most rows that one page scans: a search that finds little must not block the server. */
const maxPhoneRows = 10_000;
const maxFeedRows = 100_000;

export const createMessageFeed = (database: Database) => ({
  ...createReceived(database),
  /** Phones by their newest message. `like` is a part of the number. */
  phones: ({
    like = "",
    from = Number.MAX_SAFE_INTEGER,
    limit,
  }: NewestQuery & { readonly like?: string }): NewestPage<PhoneRow> => {
    const last = lastOf(database, "messages", from, maxPhoneRows);
    const page = `AND m.seq <= ? AND m.seq >= ? AND instr(m.recipient, ?) > 0 ${noNewer}
      ORDER BY m.seq DESC LIMIT ?`;
    const rows = ["SELECT * FROM messages m WHERE true", noticeRows].flatMap((select) =>
      database.all<PhoneRow>(`${select} ${page}`, [from, last ?? 0, like, limit + 1]),
    );
    return paged(newestFirst(rows, limit + 1), limit, last);
  },
  /** Everything that was sent to a phone, however it ended, and the service's own notices. */
  conversation: (
    recipient: string,
    { created, seq }: Cursor = newestCursor,
    limit: number,
  ): MessageRow[] => {
    const page = `m.recipient = ? AND (m.created, m.seq) <= (?, ?)
      ORDER BY m.created DESC, m.seq DESC LIMIT ?`;
    const messages = messageRows(messagesBy("INDEXED BY messages_by_recipient"));
    const rows = [`${messages} WHERE`, `${noticeRows} AND`].flatMap((select) =>
      database.all<MessageRow>(`${select} ${page}`, [recipient, created, seq, limit]),
    );
    rows.sort((one, other) => other.created - one.created || other.seq - one.seq);
    return rows.slice(0, limit);
  },
  list: (query: FeedQuery): NewestPage<MessageRow> => list(database, query),
  /** How many messages there are, counted no further than `max`. */
  count: (max: number): number => {
    const rows = "SELECT 1 FROM messages INDEXED BY messages_by_recipient LIMIT ?";
    return database.number(`SELECT count(*) AS n FROM (${rows})`, [max]);
  },
});

const createReceived = (database: Database) => ({
  /** Delivered messages, newest first; or only those of the phone `to`. */
  received: ({
    to,
    from = Number.MAX_SAFE_INTEGER,
    limit,
  }: NewestQuery & { readonly to?: string | undefined }): MessageRow[] => {
    const page = `AND m.seq <= ? ${to === undefined ? "" : "AND m.recipient = ?"}
      ORDER BY m.seq DESC LIMIT ?`;
    const values = to === undefined ? [from, limit] : [from, to, limit];
    const rows = [delivered, noticeRows].flatMap((select) =>
      database.all<MessageRow>(`${select} ${page}`, values),
    );
    return newestFirst(rows, limit);
  },
  readReceived: (seq: number): MessageRow | undefined =>
    database.get(`${delivered} AND m.seq = ?`, [seq]) ??
    database.get(`${noticeRows} AND m.seq = ?`, [seq]),
  /** Reaches the phone of the account's first active owner, if there is one. Numbered like a message. */
  notify: ({ accountId, type, text, created }: Notice): void =>
    void database.run(
      `INSERT INTO notices (seq, accountId, recipient, type, text, created)
       SELECT ?, accountId, phoneNumber, ?, ?, ? FROM members NATURAL JOIN contacts
       WHERE accountId = ? AND role = 'OWNER' AND status = 'ACTIVE' ORDER BY memberId LIMIT 1`,
      [takeNumbers(database, "message", 1), type, text, created, accountId],
    ),
});

const newestFirst = <R extends { readonly seq: number }>(rows: readonly R[], limit: number): R[] =>
  rows.toSorted((one, other) => other.seq - one.seq).slice(0, limit);

const delivered = `${messageRows()} WHERE m.statusCode = '4000'`;

/** The number that the service itself sends from. */
const serviceNumber = "0200000099";

/** They belong to group 0: no account has it. */
const noticeRows = `SELECT seq, 0 AS groupSeq, accountId, recipient, '${serviceNumber}' AS sender, text, type,
  '82' AS country, '4000' AS statusCode, '4000' AS outcome, 0 AS price, 0 AS replacement,
  0 AS resendCount, created, created AS updated, created AS processed, created AS reported,
  NULL AS options, created AS groupCreated FROM notices m WHERE true`;

/**
 * Messages and notices are numbered by one counter. The newest of a phone is the first of its index:
 * asking for any newer one would walk all rows of the same instant.
 */
const noNewer = `
  AND m.seq >= coalesce((SELECT n.seq FROM messages n WHERE n.recipient = m.recipient
    ORDER BY n.created DESC, n.seq DESC LIMIT 1), 0)
  AND NOT EXISTS (SELECT 1 FROM notices n WHERE n.recipient = m.recipient AND n.seq > m.seq)`;

const list = (
  database: Database,
  { from = Number.MAX_SAFE_INTEGER, limit, filters }: FeedQuery,
): NewestPage<MessageRow> => {
  const isOne = filters.some(({ column, is }) => column === "recipient" && is === "eq");
  // One phone's messages are found by the index, however many others there are.
  const last = isOne ? undefined : lastOf(database, "messages", from, maxFeedRows);
  const values: Value[] = [from, last ?? 0];
  const where = whereOf(filters, values, (column) => `m.${column}`);
  const access = isOne ? "INDEXED BY messages_by_recipient" : "NOT INDEXED";
  const rows = database.all<MessageRow>(
    `${messageRows(messagesBy(access))} WHERE m.seq <= ? AND m.seq >= ? AND ${where}
     ORDER BY m.seq DESC LIMIT ?`,
    [...values, limit + 1],
  );
  return paged(rows, limit, last);
};
