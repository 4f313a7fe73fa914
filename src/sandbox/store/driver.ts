/** Opens SQLite with what the runtime has: node:sqlite, else libsql. Hides where the two differ. */
import { createRequire, isBuiltin } from "node:module";

/** What a statement takes. Booleans are 0 and 1, absent values null. */
export type Value = string | number | null | Uint8Array;

/** One open database. Statements are prepared once and kept. */
export interface Database {
  /** Runs a statement; returns how many rows it changed. */
  run(sql: string, ...values: Value[]): number;
  /** The first row, or undefined. `R` claims what the statement selects. */
  get<R extends object>(sql: string, ...values: Value[]): R | undefined;
  all<R extends object>(sql: string, ...values: Value[]): R[];
  /** Runs several statements of text without parameters. */
  exec(sql: string): void;
  /**
   * Runs `work` under the write lock and commits; undoes everything when it throws. Inside another
   * transaction only the work itself is undone.
   */
  transaction<T>(work: () => T): T;
  /**
   * A number inside a transaction, undefined outside. What was read under it is still so under the
   * same number, but for what this connection wrote since: it changes when a transaction finds that
   * another connection wrote, when something is undone, and by `forget`.
   */
  snapshotVersion(): number | undefined;
  /** Changes the snapshot version: what others keep of what they read may no longer be so. */
  invalidateSnapshot(): void;
  close(): void;
}

interface Statement {
  run(...values: unknown[]): { readonly changes: number | bigint };
  get(...values: unknown[]): unknown;
  all(...values: unknown[]): unknown[];
}

interface Engine {
  prepare(sql: string): Statement & Partial<Raw>;
  exec(sql: string): unknown;
  close(): unknown;
}

/** What only libsql has: rows as arrays, which it makes in half the time that it makes objects in. */
interface Raw {
  readonly reader: boolean;
  raw(): unknown;
  columns(): { readonly name: string }[];
}

type OpenEngine = new (file: string) => Engine;

const maxStatements = 300;
const hasSqlite = isBuiltin("node:sqlite");
/** libsql takes one array: alone, it reads null or bytes as a set of names. */
const given = (values: Value[]): unknown[] => (hasSqlite ? values : [values]);

/** Opens a database file, or one in memory for `:memory:`. */
export const openDatabase = (file: string): Database => {
  const engine = new (engineOf())(file);
  const statements = new Map<string, Statement>();
  const statement = (sql: string): Statement => {
    const known = statements.get(sql);
    if (known !== undefined) return known;
    // Filters make new texts without end.
    if (statements.size >= maxStatements) statements.clear();
    const prepared = byName(engine.prepare(sql));
    statements.set(sql, prepared);
    return prepared;
  };
  const get: Database["get"] = (sql, ...values) => {
    const known = statement(sql);
    try {
      return rowOf(known.get(...given(values)));
    } catch (error) {
      // libsql's statement would answer for the values of this call the next time.
      statements.delete(sql);
      throw error;
    }
  };
  const version = (): number =>
    get<{ it: number }>("SELECT data_version AS it FROM pragma_data_version")?.it ?? 0;
  return {
    run: (sql, ...values) => Number(statement(sql).run(...given(values)).changes),
    get,
    all: <R extends object>(sql: string, ...values: Value[]) =>
      statement(sql)
        .all(...given(values))
        .flatMap((row) => rowOf<R>(row) ?? []),
    exec: (sql) => void engine.exec(sql),
    ...createTransactions(engine, version),
    close: () => {
      // libsql closes the file when its last statement is gone.
      statements.clear();
      engine.close();
    },
  };
};

/** `version` changes with what other connections commit, and is right inside a transaction only. */
const createTransactions = (
  engine: Engine,
  version: () => number,
): Pick<Database, "transaction" | "snapshotVersion" | "invalidateSnapshot"> => {
  let depth = 0;
  let snapshot = 0;
  let seen = 0;
  const loss = createLoss(engine);
  const invalidateSnapshot = (): void => {
    snapshot += 1;
  };
  const transaction: Database["transaction"] = (work) => {
    const [begin, commit, undo] = statementsAt(depth);
    if (depth === 0) loss.forget();
    loss.check();
    engine.exec(begin);
    depth += 1;
    try {
      if (depth === 1 && seen !== version()) {
        seen = version();
        invalidateSnapshot();
      }
      const result = work();
      loss.check();
      engine.exec(commit);
      return result;
    } catch (error) {
      loss.undo(undo, error);
      invalidateSnapshot();
      throw error;
    } finally {
      depth -= 1;
    }
  };
  return {
    transaction,
    invalidateSnapshot,
    snapshotVersion: () => (depth === 0 ? undefined : snapshot),
  };
};

/** How a transaction begins and ends; inside another it is a savepoint. */
const statementsAt = (depth: number): readonly [begin: string, commit: string, undo: string] =>
  depth === 0
    ? ["BEGIN IMMEDIATE", "COMMIT", "ROLLBACK"]
    : [`SAVEPOINT s${depth}`, `RELEASE s${depth}`, `ROLLBACK TO s${depth}; RELEASE s${depth}`];

/**
 * On a full disk SQLite undoes the whole transaction by itself. The error to report is its cause,
 * not that nothing is left to undo; and statements that went on inside would be kept one by one.
 */
const createLoss = (engine: Engine) => {
  let lost: { readonly error: unknown } | undefined;
  return {
    forget: () => {
      lost = undefined;
    },
    check: () => {
      if (lost !== undefined) throw lost.error;
    },
    undo: (sql: string, error: unknown) => {
      try {
        engine.exec(sql);
      } catch {
        lost ??= { error };
      }
    },
  };
};

/** The driver of this runtime; typed here, because neither package's types know the other. */
const engineOf = (): OpenEngine => {
  const require = createRequire(import.meta.url);
  if (hasSqlite) return require("node:sqlite").DatabaseSync as OpenEngine;
  return require("libsql") as OpenEngine;
};

/** A statement whose rows are objects. */
const byName = (prepared: Statement & Partial<Raw>): Statement => {
  if (!prepared.reader) return prepared;
  const names = prepared.columns?.().map(({ name }) => name) ?? [];
  prepared.raw?.();
  // Members that are all there from the beginning: one that grew by forty is slow to read and to copy.
  const empty: Readonly<Record<string, unknown>> = JSON.parse(
    JSON.stringify(Object.fromEntries(names.map((name) => [name, null]))),
  );
  const named = (row: unknown): unknown => {
    if (!Array.isArray(row)) return row;
    const object = { ...empty };
    for (const [at, name] of names.entries()) object[name] = row[at];
    return object;
  };
  return {
    run: (...values) => prepared.run(...values),
    get: (...values) => named(prepared.get(...values)),
    all: (...values) => prepared.all(...values).map(named),
  };
};

/** A row as the caller's statement selects it. */
const rowOf = <R extends object>(row: unknown): R | undefined =>
  typeof row === "object" && row !== null ? (row as R) : undefined;
