/** Filters of lists as conditions of SQL, and lists of tables whose rows are ordered by their id. */
import type { Database, Value } from "./driver.ts";

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
