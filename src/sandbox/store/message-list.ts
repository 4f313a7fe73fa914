/** Pages of stored messages, newest first, each read from an index at the place where it begins. */
import type { Database, Value } from "./driver.ts";
import type { MessageRow } from "./messages.ts";
import { atMost } from "./phrases.ts";

/** The words of `cond` as SQL writes them. */
export const comparisons = { eq: "=", ne: "<>", gt: ">", gte: ">=", lt: "<", lte: "<=" } as const;
export type Comparison = keyof typeof comparisons;

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

/** One condition; `in` is met by any of its values. */
export type Condition =
  | { readonly column: MessageColumn; readonly is: Comparison; readonly value: string | number }
  | {
      readonly column: MessageColumn;
      readonly is: "in";
      readonly value: readonly (string | number)[];
    };

/** Where a page begins: the row itself is its first. */
export interface Place {
  readonly created: number;
  readonly seq: number;
}

export interface MessageQuery {
  readonly accountId: string;
  /** All of them must hold. */
  readonly conditions: readonly Condition[];
  readonly from?: Place | undefined;
  readonly limit: number;
}

/** Rows in the order of dateCreated, then of id, both descending (facts/messages 13). */
export type ListMessages = (query: MessageQuery) => MessageRow[];

export const createListMessages =
  (database: Database): ListMessages =>
  ({ from, ...query }) => {
    if (from === undefined) return select(database, query, "TRUE", []);
    // Two ranges of the index: as one, SQLite would walk all rows of that instant to find `seq`.
    const sameTime = "m.created = ? AND m.seq <= ?";
    const first = select(database, query, sameTime, [from.created, from.seq]);
    const limit = query.limit - first.length;
    if (limit === 0) return first;
    return [...first, ...select(database, { ...query, limit }, "m.created < ?", [from.created])];
  };

const select = (
  database: Database,
  { accountId, conditions, limit }: Omit<MessageQuery, "from">,
  range: string,
  bounds: readonly Value[],
): MessageRow[] => {
  const values: Value[] = [];
  const terms = conditions.map((condition) => term(condition, values));
  const page = database.get<{ rows: string | null }>(
    `SELECT group_concat(cells) AS rows FROM (
       SELECT json_array(${cells}) AS cells
       FROM messages m ${access(conditions)} CROSS JOIN groups g ON g.seq = m.groupSeq
       WHERE ${["m.accountId = ?", range, ...terms].join(" AND ")}
       ORDER BY m.created DESC, m.seq DESC ${atMost})`,
    accountId,
    ...bounds,
    ...values,
    limit,
  );
  const rows: readonly Cells[] = JSON.parse(`[${page?.rows ?? ""}]`);
  return rows.map((cells) => rowOf(accountId, cells));
};

/** As one text of JSON a page is read in a third of the time that its cells take one by one. */
const columns = [
  "seq",
  "groupSeq",
  "recipient",
  "sender",
  "text",
  "type",
  "country",
  "statusCode",
  "outcome",
  "price",
  "replacement",
  "resendCount",
  "created",
  "updated",
  "processed",
  "reported",
  "options",
] as const satisfies readonly (keyof MessageRow)[];

const cells = [...columns.map((name) => `m.${name}`), "g.created"].join(", ");

type CellsOf<C extends readonly (keyof MessageRow)[]> = { [K in keyof C]: MessageRow[C[K]] };

/** The columns in their order, then when the group was created. */
type Cells = readonly [...CellsOf<typeof columns>, number];

const rowOf = (accountId: string, cells: Cells): MessageRow => {
  const [seq, groupSeq, recipient, sender, text, type, country, statusCode, outcome, ...more] =
    cells;
  const [price, replacement, resendCount, created, updated, processed, reported, options, last] =
    more;
  return {
    seq,
    groupSeq,
    accountId,
    recipient,
    sender,
    text,
    type,
    country,
    statusCode,
    outcome,
    price,
    replacement,
    resendCount,
    created,
    updated,
    processed,
    reported,
    options,
    groupCreated: last,
  };
};

const term = ({ column, is, value }: Condition, values: Value[]): string => {
  if (is !== "in") {
    values.push(value);
    return `m.${column} ${comparisons[is]} ?`;
  }
  values.push(JSON.stringify(value));
  return `m.${column} IN (SELECT value FROM json_each(?))`;
};

/** The index that reads the fewest rows: SQLite has no statistics to find it by itself. */
const access = (conditions: readonly Condition[]): string => {
  const isFixed = (column: MessageColumn): boolean =>
    conditions.some((condition) => condition.column === column && condition.is === "eq");
  const byId = conditions.some(
    ({ column, is }) => column === "seq" && (is === "eq" || is === "in"),
  );
  if (byId) return "NOT INDEXED";
  if (isFixed("recipient")) return "INDEXED BY messages_by_recipient";
  if (isFixed("groupSeq")) return "INDEXED BY messages_by_group";
  return "INDEXED BY messages_by_account";
};
