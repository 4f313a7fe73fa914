/** Pages of stored messages, newest first, each read from an index at the place where it begins. */
import { batchesOf } from "./batches.ts";
import type { Database, Value } from "./driver.ts";
import { type Filter, type ListQuery, whereOf } from "./filters.ts";
import type { MessageRow } from "./messages.ts";

/** Columns that a list may be filtered by. */
export type MessageColumn =
  | "seq"
  | "groupSeq"
  | "recipient"
  | "sender"
  | "type"
  | "statusCode"
  | "replacement"
  | "created"
  | "updated";

type MessageQuery = ListQuery<MessageColumn>;

/** Rows in the order of dateCreated, then of id, both descending. */
export const listMessages = (
  database: Database,
  { from, ...query }: MessageQuery,
): MessageRow[] => {
  if (from === undefined) return select(database, query, {});
  const { created: at, seq: last } = from;
  // Two ranges of the index: as one, SQLite would walk all rows of that instant to find `seq`.
  const first = select(database, query, { at, last });
  const limit = query.limit - first.length;
  return limit === 0 ? first : [...first, ...select(database, { ...query, limit }, { before: at })];
};

/** Rows of one instant up to a number, or those before an instant; all rows where nothing is given. */
interface Span {
  readonly at?: number;
  readonly last?: number;
  readonly before?: number;
}

const select = (
  database: Database,
  { accountId, conditions, limit }: Omit<MessageQuery, "from">,
  { at, last = Number.MAX_SAFE_INTEGER, before }: Span,
): MessageRow[] => {
  const { source, order, created } = accessFor(conditions);
  const values: Value[] = [last, accountId];
  const filters: Filter<MessageColumn>[] = [...conditions];
  if (at !== undefined) filters.push({ column: "created", is: "eq", value: at });
  if (before !== undefined) filters.push({ column: "created", is: "lt", value: before });
  const where = whereOf(filters, values, (column) =>
    column === "created" ? created : `${column === "groupSeq" ? "b" : "m"}.${column}`,
  );
  return database.all<MessageRow>(
    `SELECT m.*, b.groupSeq, b.accountId, g.created AS groupCreated
     FROM ${source} CROSS JOIN groups g ON g.seq = b.groupSeq
     WHERE b.accountId = ? AND ${where} ORDER BY ${order} LIMIT ?`,
    ...values,
    limit,
  );
};

/** How the rows of a list are reached, newest first. */
interface Access {
  /** Messages `m` up to the number ?1, and their batches `b`. */
  readonly source: string;
  readonly order: string;
  /** Where the index has the time. */
  readonly created: "b.created" | "m.created";
}

const byBatch = (index: string): Access => ({
  source: `batches b INDEXED BY ${index}
    CROSS JOIN messages m ON b.firstSeq <= ?1 AND m.seq BETWEEN b.firstSeq AND min(b.lastSeq, ?1)`,
  order: "b.created DESC, b.firstSeq DESC, m.seq DESC",
  created: "b.created",
});

const byMessage = (how: string): Access => ({
  source: `messages m ${how} ${batchesOf} AND m.seq <= ?1`,
  order: "m.created DESC, m.seq DESC",
  created: "m.created",
});

/** What reads the fewest rows: SQLite has no statistics to find it by itself. */
const accessFor = (conditions: readonly Filter<MessageColumn>[]): Access => {
  const isFixed = (column: MessageColumn): boolean =>
    conditions.some((condition) => condition.column === column && condition.is === "eq");
  const byId = conditions.some(
    ({ column, is }) => column === "seq" && (is === "eq" || is === "in"),
  );
  if (byId) return byMessage("NOT INDEXED");
  if (isFixed("recipient")) return byMessage("INDEXED BY messages_by_recipient");
  return byBatch(isFixed("groupSeq") ? "batches_by_group" : "batches_by_account");
};
