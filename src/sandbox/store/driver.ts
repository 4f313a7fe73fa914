/** Opens SQLite with what the runtime has: node:sqlite, else libsql. Hides their differences. */
import { createRequire, isBuiltin } from "node:module";
import { fileError, systemCode } from "../../durable/files.ts";
import { usageError } from "../../errors.ts";
import { memberOf } from "../../json/read-json.ts";

/** The values that a statement takes. Booleans are 0 and 1, absent values null. */
export type Value = string | number | null | Uint8Array;

/** One open database. Statements are prepared once and kept. */
export interface Database {
  /** Runs a statement; returns how many rows it changed. */
  run(sql: string, values?: readonly Value[]): number;
  /** The first row, or undefined. `R` claims what the statement selects; bytes may be an ArrayBuffer. */
  get<R extends object>(sql: string, values?: readonly Value[]): R | undefined;
  all<R extends object>(sql: string, values?: readonly Value[]): R[];
  /** The `n` of the first row; 0 without a row. */
  number(sql: string, values?: readonly Value[]): number;
  /** Runs several statements of text without parameters. */
  exec(sql: string): void;
  /**
   * Runs `work` under the write lock and commits; rolls everything back if it throws. Inside
   * another transaction only the work itself is rolled back.
   */
  transaction<T>(work: () => T): T;
  close(): void;
}

interface Statement {
  run(...values: unknown[]): { readonly changes: number | bigint };
  all(...values: unknown[]): unknown[];
}

interface Engine {
  prepare(sql: string): Statement;
  exec(sql: string): unknown;
  close(): unknown;
}

type OpenEngine = new (file: string) => Engine;

const maxStatements = 300;
const hasSqlite = isBuiltin("node:sqlite");
/** libsql takes one array: alone, it reads null or bytes as a set of names. */
const bound = (values: readonly Value[]): readonly unknown[] => (hasSqlite ? values : [values]);

/** Opens a database file, or one in memory for `:memory:`. */
export const openDatabase = (file: string): Database => {
  const engine = new (engineOf())(file);
  const statements = new Map<string, Statement>();
  const statement = (sql: string): Statement => {
    const known = statements.get(sql);
    if (known !== undefined) return known;
    // Filters produce an unlimited number of texts.
    if (statements.size >= maxStatements) statements.clear();
    const prepared = engine.prepare(sql);
    statements.set(sql, prepared);
    return prepared;
  };
  const all = <R extends object>(sql: string, values: readonly Value[] = []): R[] => {
    try {
      return statement(sql).all(...bound(values)) as R[];
    } catch (error) {
      // Next time libsql's statement would return the result for the values of this call.
      statements.delete(sql);
      throw error;
    }
  };
  return {
    run: (sql, values = []) => Number(statement(sql).run(...bound(values)).changes),
    // Not by the engine's own: libsql adds a member to its row.
    get: <R extends object>(sql: string, values?: readonly Value[]) => all<R>(sql, values)[0],
    all,
    number: (sql, values) => all<{ n: number }>(sql, values)[0]?.n ?? 0,
    exec: (sql) => void engine.exec(sql),
    transaction: createTransaction(engine, file),
    close: () => {
      // libsql closes the file when its last statement is released.
      statements.clear();
      engine.close();
    },
  };
};

const createTransaction = (engine: Engine, file: string): Database["transaction"] => {
  let depth = 0;
  /**
   * On a full disk SQLite undoes the whole transaction by itself. The error to report is its cause, the first here,
   * not that nothing is left to undo. Further statements inside would otherwise be committed one by one.
   */
  const causes: unknown[] = [];
  const checkKept = (): void => {
    if (causes.length > 0) throw causes[0];
  };
  return (work) => {
    const [begin, commit, undo] = statementsAt(depth);
    if (depth === 0) causes.length = 0;
    checkKept();
    engine.exec(begin);
    depth += 1;
    try {
      const result = work();
      checkKept();
      engine.exec(commit);
      return result;
    } catch (error) {
      try {
        engine.exec(undo);
      } catch {
        causes.push(error);
      }
      throw depth === 1 ? withDiskError(error, file) : error;
    } finally {
      depth -= 1;
    }
  };
};

/** The errors of SQLite for a full or failing disk, in node:sqlite and libsql, with the system's code for each. */
const diskCodes = [
  [13, "SQLITE_FULL", "ENOSPC"],
  [10, "SQLITE_IOERR", "EIO"],
] as const;

/** The error itself; a disk error in the form of the system's own. */
export const withDiskError = (error: unknown, file: string): unknown => {
  const found = diskCodes.find(([number, name]) => hasCode(error, number, name));
  const [, name, code] = found ?? [];
  const system = Object.assign(new Error(name, { cause: error }), { code });
  return found === undefined ? error : fileError(system, `write '${file}'`, file);
};

/** Whether the file is no database, or a broken one. */
export const isDamaged = (error: unknown): boolean =>
  hasCode(error, 11, "SQLITE_CORRUPT") || hasCode(error, 26, "SQLITE_NOTADB");

/** node:sqlite numbers its errors, libsql names them. */
const hasCode = (error: unknown, number: number, name: string): boolean =>
  (Number(memberOf(error, "errcode")) & 0xff) === number ||
  systemCode(error)?.startsWith(name) === true;

/** How a transaction begins and ends; inside another it is a savepoint. */
const statementsAt = (depth: number): readonly [begin: string, commit: string, undo: string] =>
  depth === 0
    ? ["BEGIN IMMEDIATE", "COMMIT", "ROLLBACK"]
    : [`SAVEPOINT s${depth}`, `RELEASE s${depth}`, `ROLLBACK TO s${depth}; RELEASE s${depth}`];

/** The driver of this runtime; typed here, because neither package's types cover the other. */
const engineOf = (): OpenEngine => {
  const require = createRequire(import.meta.url);
  if (hasSqlite) return require("node:sqlite").DatabaseSync as OpenEngine;
  try {
    return require("libsql") as OpenEngine;
  } catch (cause) {
    throw usageError(
      "Node 20 needs the optional package libsql; Node 22.13 or newer needs nothing",
      { code: "NoDatabase", todo: "npm install -g libsql beside msg, or use a newer Node", cause },
    );
  }
};
