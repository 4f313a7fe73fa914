/** Rows written by the names of their columns, lists of rows by their filters, and pages of lists. */
import { memberOf } from "../../json/read-json.ts";
import type { Database, Value } from "./driver.ts";

/** When a row was made and when it was last changed, in milliseconds since 1970. */
export interface Times {
  readonly created: number;
  readonly updated: number;
}

/** Every member is a column. */
type Columns<R> = { readonly [K in keyof R]: Value };

/** The same, but for members of `J`. */
type Stored<R, J extends keyof R> = Columns<Omit<R, J>> & Pick<R, J>;

const insertSql = (table: string, row: object): string => {
  const names = Object.keys(row);
  return `INSERT INTO ${table} (${names.join(", ")}) VALUES (${names.map(() => "?").join(", ")})`;
};

/** Adds a row. `onConflict` is the end of the statement, such as `ON CONFLICT DO NOTHING`. */
export const insertRow = <R>(
  database: Database,
  table: string,
  row: Columns<R>,
  onConflict = "",
): void => void database.run(`${insertSql(table, row)} ${onConflict}`, Object.values<Value>(row));

/** Adds a row and returns it with the columns that the table fills; undefined if it conflicts with another. */
export const insertUnlessExists = <T extends object, R = unknown>(
  database: Database,
  table: string,
  row: Columns<R>,
): T | undefined =>
  database.get<T>(
    `${insertSql(table, row)} ON CONFLICT DO NOTHING RETURNING *`,
    Object.values<Value>(row),
  );

/** Adds a row that conflicts with none and returns it with the columns that the table fills. */
export const insertReturning = <T extends object, R = unknown>(
  database: Database,
  table: string,
  row: Columns<R>,
): T => {
  const added = insertUnlessExists<T, R>(database, table, row);
  if (added === undefined) throw new Error(`The table ${table} has such a row already.`);
  return added;
};

const updateRow = <R extends object>(
  database: Database,
  table: string,
  key: keyof R & string,
  row: Columns<R>,
  before?: Partial<R>,
): void => {
  const { [key]: id, ...given } = row;
  const changed = Object.entries<Value>(given).filter(
    ([name, it]) => it !== memberOf(before, name),
  );
  if (changed.length === 0) return;
  const sets = changed.map(([name]) => `${name} = ?`).join(", ");
  const values = [...changed.map(([, value]) => value), id];
  database.run(`UPDATE ${table} SET ${sets} WHERE ${key} = ?`, values);
};

/** A row with these of its members as JSON. */
const toJson = <R extends object>(row: R, names: readonly (keyof R)[]) => {
  const given = names.filter((name) => name in row);
  return Object.assign({ ...row }, ...given.map((name) => ({ [name]: JSON.stringify(row[name]) })));
};

const fromJson = <R extends object>(row: R, names: readonly (keyof R)[]): R =>
  Object.assign({ ...row }, ...names.map((name) => ({ [name]: JSON.parse(String(row[name])) })));

/** The statements of a table by the column that is its key. The members that `json` names are stored as JSON. */
export const createTable = <R extends object, J extends keyof R & string = never>(
  database: Database,
  table: string,
  key: keyof R & string,
  json: readonly J[] = [],
) => {
  /** Rows by the rest of a statement. */
  const select = (rest: string, values: readonly Value[] = []): R[] =>
    database.all<R>(`SELECT * FROM ${table} ${rest}`, values).map((row) => fromJson(row, json));
  return {
    select,
    insert: (row: Stored<R, J>): void => insertRow(database, table, toJson(row, json)),
    read: (id: Value): R | undefined => select(`WHERE ${key} = ?`, [id])[0],
    /** The rows with the greatest keys, at most this many. */
    newest: (max: number): R[] => select(`ORDER BY ${key} DESC LIMIT ?`, [max]),
    /** In the order of the key. */
    all: (): R[] => select(`ORDER BY ${key}`),
    /** Writes every member of the row that has this key; of a wide row only what differs from `before`. */
    update: (row: Partial<Stored<R, J>>, before?: R): void =>
      updateRow(database, table, key, toJson(row, json), before),
    /** Returns how many there were. */
    remove: (id: Value): number => database.run(`DELETE FROM ${table} WHERE ${key} = ?`, [id]),
    idOf: (row: R): string => String(row[key]),
    /**
     * A page of an account's rows, newest first: keys embed the time. `more` adds a condition on something
     * other than a column, and appends its values.
     */
    page: (
      { accountId, filters, from = lastKey, limit }: PageQuery<keyof R & string>,
      more?: (values: Value[]) => string,
    ): R[] => {
      const values: Value[] = [accountId, from];
      const wheres = [whereOf(filters, values), more?.(values) ?? "TRUE"].join(" AND ");
      const rest = `WHERE accountId = ? AND ${key} <= ? AND ${wheres} ORDER BY ${key} DESC LIMIT ?`;
      return select(rest, [...values, limit]);
    },
  };
};

/** Greater than every key. */
const lastKey = "~";

/** A page of an account's rows, newest first. */
export interface PageQuery<C extends string, From = string> {
  readonly accountId: string;
  /** All of them must hold. */
  readonly filters: readonly Filter<C>[];
  /** The first row: its id, or its place in time. */
  readonly from?: From | undefined;
  readonly limit: number;
}

/** How a column is compared with one value, as SQL writes it. */
const signs = { eq: "=", ne: "<>", gt: ">", gte: ">=", lt: "<", lte: "<=" } as const;
export type Comparison = keyof typeof signs;
export type FilterOperator = Comparison | "like";

export const isComparison = (word: string): word is Comparison => Object.hasOwn(signs, word);
export const isFilterOperator = (word: string): word is FilterOperator =>
  word === "like" || isComparison(word);

/**
 * A condition on a column of `C`. `like` means "contains"; `in` matches any of its values; `outside` none
 * from the first to the second.
 */
export type Filter<C extends string> =
  | { readonly column: C; readonly is: FilterOperator; readonly value: string | number }
  | { readonly column: C; readonly is: "in"; readonly value: readonly (string | number)[] }
  | { readonly column: C; readonly is: "outside"; readonly value: readonly [number, number] };

/** All filters, ANDed, with each column as SQL `names` it; their values are appended to `values`. */
export const whereOf = <C extends string>(
  filters: readonly Filter<C>[],
  values: Value[],
  names: (column: C) => string = (column) => column,
): string => ["TRUE", ...filters.map((it) => termOf(it, names(it.column), values))].join(" AND ");

const termOf = ({ is, value }: Filter<string>, column: string, values: Value[]): string => {
  if (is === "in") {
    values.push(JSON.stringify(value));
    return `${column} IN (SELECT value FROM json_each(?))`;
  }
  if (is === "outside") {
    const [from, until] = value;
    // A span from 0 becomes a bound at which an index can begin.
    values.push(...(from > 0 ? value : [until]));
    return from > 0 ? `${column} NOT BETWEEN ? AND ?` : `${column} > ?`;
  }
  values.push(value);
  return is === "like" ? `instr(${column}, ?) > 0` : `${column} ${signs[is]} ?`;
};

/** A row's place in time: its number, and when it was created, in milliseconds since 1970. A page begins with it. */
export interface Cursor {
  readonly created: number;
  readonly seq: number;
}

/** Where the newest rows begin. */
export const newestCursor: Cursor = {
  created: Number.MAX_SAFE_INTEGER,
  seq: Number.MAX_SAFE_INTEGER,
};

/** The rows of a page, newest first; `names` spells the columns of its filters. */
export const pageByTime = <R extends object, C extends string>(
  database: Database,
  table: string,
  { accountId, filters, from = newestCursor, limit }: PageQuery<C, Cursor>,
  names?: (column: C) => string,
): R[] => {
  const values: Value[] = [accountId, from.created, from.seq];
  const where = whereOf(filters, values, names);
  return database.all(
    `SELECT * FROM ${table} WHERE accountId = ? AND (created, seq) <= (?, ?) AND ${where}
     ORDER BY created DESC, seq DESC LIMIT ?`,
    [...values, limit],
  );
};

/** A page of rows by number, newest first. */
export interface NewestQuery {
  /** The row that the page begins with. */
  readonly from?: number | undefined;
  readonly limit: number;
}

/** Rows, and the number where the next page begins; undefined after the last. */
export interface NewestPage<R> {
  readonly rows: readonly R[];
  readonly next: number | undefined;
}

/** The number of the last row that a page scans; undefined if it scans all. */
export const lastOf = (
  database: Database,
  table: "messages" | "groups" | "ledger",
  from: number,
  max: number,
): number | undefined =>
  database.get<{ seq: number }>(
    `SELECT seq FROM ${table} WHERE seq <= ? ORDER BY seq DESC LIMIT 1 OFFSET ?`,
    [from, max],
  )?.seq;

/** A page of rows; one more than fits was read. `last` is the last row that was scanned. */
export const paged = <R extends { readonly seq: number }>(
  rows: readonly R[],
  limit: number,
  last: number | undefined,
): NewestPage<R> => ({
  rows: rows.slice(0, limit),
  next: rows[limit]?.seq ?? (last === undefined ? undefined : last - 1),
});
