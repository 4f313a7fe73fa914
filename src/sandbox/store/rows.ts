/** Rows written by the names of their members, which are the names of their columns. */
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
