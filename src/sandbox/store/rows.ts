/** Rows written by the names of their columns, and lists of rows by their filters. */
import type { Database, Value } from "./driver.ts";

/** Every member is a column. */
type Columns<R> = { readonly [K in keyof R]: Value };

const insertSql = (table: string, names: readonly string[]): string =>
  `INSERT INTO ${table} (${names.join(", ")}) VALUES (${names.map(() => "?").join(", ")})`;

/** Adds a row. `onConflict` is the end of the statement, such as `ON CONFLICT DO NOTHING`. */
export const insertRow = <R>(
  database: Database,
  table: string,
  row: Columns<R>,
  onConflict = "",
): void => {
  const sql = `${insertSql(table, Object.keys(row))} ${onConflict}`;
  database.run(sql, ...Object.values<Value>(row));
};

/** Adds a row and returns it with what the table adds to it; undefined where it conflicts with another. */
export const insertReturning = <T extends object, R = unknown>(
  database: Database,
  table: string,
  row: Columns<R>,
): T | undefined => {
  const sql = `${insertSql(table, Object.keys(row))} ON CONFLICT DO NOTHING RETURNING *`;
  return database.get<T>(sql, ...Object.values<Value>(row));
};

/** Writes every member of the row that has this `key`. */
export const updateRow = <R extends object>(
  database: Database,
  table: string,
  key: keyof R & string,
  row: Columns<R>,
): void => {
  const names = Object.keys(row).filter((name) => name !== key);
  const values = Object.entries<Value>(row).flatMap(([name, value]) =>
    name === key ? [] : [value],
  );
  const sql = `UPDATE ${table} SET ${names.map((name) => `${name} = ?`).join(", ")} WHERE ${key} = ?`;
  database.run(sql, ...values, row[key]);
};

/** Operators as SQL writes them. */
const comparisons = { eq: "=", ne: "<>", gt: ">", gte: ">=", lt: "<", lte: "<=" } as const;
export type Comparison = keyof typeof comparisons;

/** Where a page begins: the row itself is its first. */
export interface Place {
  readonly created: number;
  readonly seq: number;
}

/** A page of an account's rows by their time. */
export interface ListQuery<C extends string> {
  readonly accountId: string;
  /** All of them must hold. */
  readonly conditions: readonly Filter<C>[];
  readonly from?: Place | undefined;
  readonly limit: number;
}

export type FilterOperator = Comparison | "like";

/**
 * One condition on a column of `C`. `like` is "contains"; `in` is met by any of its values; `outside` by
 * none from the first to the second.
 */
export type Filter<C extends string> =
  | { readonly column: C; readonly is: FilterOperator; readonly value: string | number }
  | { readonly column: C; readonly is: "in"; readonly value: readonly (string | number)[] }
  | { readonly column: C; readonly is: "outside"; readonly value: readonly [number, number] };

/** All conditions, ANDed, with each column as SQL `names` it; their values are appended to `values`. */
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
    // A span from 0 is a bound that an index can begin at.
    values.push(...(from > 0 ? value : [until]));
    return from > 0 ? `${column} NOT BETWEEN ? AND ?` : `${column} > ?`;
  }
  values.push(value);
  return is === "like" ? `instr(${column}, ?) > 0` : `${column} ${comparisons[is]} ?`;
};

/** A page of an account's rows, newest first. */
export interface RowsQuery<C extends string> {
  readonly accountId: string;
  readonly filters: readonly Filter<C>[];
  /** Id of the first row. */
  readonly from?: string | undefined;
  readonly limit: number;
}

/** A table whose ids embed the time: newer ones are greater. */
export interface TimedTable {
  readonly table: string;
  readonly id: string;
}

/** Greater than every id. */
const lastId = "~";

/** The rows of a page; `more` adds a condition that is none of a column, and appends its values. */
export const rowsById = <R extends object>(
  database: Database,
  { table, id }: TimedTable,
  { accountId, filters, from, limit }: RowsQuery<string>,
  more?: (values: Value[]) => string,
): R[] => {
  const values: Value[] = [];
  const wheres = [whereOf(filters, values), more?.(values) ?? "TRUE"].join(" AND ");
  return database.all<R>(
    `SELECT * FROM ${table} WHERE accountId = ? AND ${id} <= ? AND ${wheres}
     ORDER BY ${id} DESC LIMIT ?`,
    accountId,
    from ?? lastId,
    ...values,
    limit,
  );
};
