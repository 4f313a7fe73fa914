/** Opens the database of a sandbox and brings its tables to the present version. */
import {
  chmodSync,
  closeSync,
  existsSync,
  linkSync,
  mkdirSync,
  openSync,
  rmSync,
  statSync,
} from "node:fs";
import { dirname } from "node:path";
import { fileError, systemCode } from "../../durable/files.ts";
import { MsgError, usageError } from "../../errors.ts";
import { type Database, isDamaged, openDatabase, withDiskError } from "./driver.ts";
import accounts from "./migrations/001-accounts.sql";
import messages from "./migrations/002-messages.sql";
import money from "./migrations/003-money.sql";
import secondFactors from "./migrations/004-second-factors.sql";
import kakao from "./migrations/005-kakao.sql";
import oauth from "./migrations/006-oauth.sql";
import faults from "./migrations/007-faults.sql";
import files from "./migrations/008-files.sql";
import quotaAndApps from "./migrations/009-quota-and-apps.sql";
import notices from "./migrations/010-notices.sql";
import blocks from "./migrations/011-blocks.sql";

/** How long one process waits for the write lock of another. */
const busyMs = 10_000;
/**
 * Kibibytes of pages kept in memory: a call of 10,000 messages dirties more than SQLite's two mebibytes,
 * and pages that do not fit are written twice.
 */
const cacheKib = 16_000;
/**
 * The page size of a new file, twice SQLite's default. Calls write messages by the ten thousand, and two pages of
 * half the size cost almost twice what one costs; a single message writes as many pages as before.
 */
const pageBytes = 8 * 1024;
/**
 * The log's size before it is copied into the file, for which the next request waits: 8 mebibytes take
 * some 20 ms. Larger logs saved nothing per message, and blocked the sandbox for a second at a time.
 */
const checkpointBytes = 8 * 1024 * 1024;

/**
 * The database of a file, created if it does not exist, or one in memory for `:memory:`. Throws MsgError (usage) for
 * a file of a newer program, and for one that is not a database or cannot be used.
 */
export const openTables = (file: string): Database => {
  try {
    return open(file);
  } catch (error) {
    // SQLite has codes of its own; the system's codes are one word.
    const isSystem = /^E[A-Z0-9]+$/.test(systemCode(error) ?? "");
    if (isSystem) throw fileError(error, opening(file), file);
    throw openError(withDiskError(error, file), file);
  }
};

const opening = (file: string): string => `open the sandbox '${file}'`;

/** The error of SQLite for a file, which is left as it is. */
const openError = (error: unknown, file: string): MsgError => {
  if (error instanceof MsgError) return error;
  const why = error instanceof Error ? error.message : String(error);
  return usageError(`could not ${opening(file)}: ${why}`, {
    code: "FileProblem",
    where: file,
    todo: isDamaged(error)
      ? "name another file; or move this one away, and a new one is made in its place"
      : "check that it is a file that you may read and write, and how many files may be open (ulimit -n)",
    cause: error,
  });
};

const open = (file: string): Database => {
  if (file !== ":memory:" && !existsSync(file)) create(file);
  const database = connect(file);
  try {
    migrate(database, file);
    // Only now: a file that is not a store stays as it is.
    if (file !== ":memory:") for (const end of ends) restrictMode(`${file}${end}`);
  } catch (error) {
    database.close();
    throw error;
  }
  return database;
};

/** The files of one database. */
const ends = ["", "-wal", "-shm"] as const;

/** A file that was copied here may be one that every user can read. */
const restrictMode = (file: string): void => {
  const found = statSync(file, { throwIfNoEntry: false });
  if (found === undefined || !found.isFile() || (found.mode & 0o077) === 0) return;
  try {
    chmodSync(file, 0o600);
  } catch (error) {
    // It belongs to another user, who decides.
    if (systemCode(error) !== "EPERM") throw error;
  }
};

const connect = (file: string): Database => {
  const database = openDatabase(file);
  database.exec(
    `PRAGMA busy_timeout = ${busyMs}; PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON;
     PRAGMA cache_size = -${cacheKib}; PRAGMA wal_autocheckpoint = ${checkpointBytes / pageBytes};`,
  );
  return database;
};

/**
 * Creates the file next to its place and links it there when complete: if two processes create it at once, the second
 * finds the first one's. SQLite itself cannot switch to WAL while another process has the file open.
 */
const create = (file: string): void => {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const draft = `${file}.${crypto.randomUUID()}.new`;
  // SQLite creates its other files with the mode of this one, which holds texts and phone numbers.
  closeSync(openSync(draft, "wx", 0o600));
  try {
    const database = connect(draft);
    // Only by exec: libsql keeps a file open as long as a prepared statement lives.
    database.exec(
      `PRAGMA page_size = ${pageBytes}; PRAGMA journal_mode = WAL; BEGIN; ${stepsFrom(0)} COMMIT;`,
    );
    database.close();
    linkSync(draft, file);
  } catch (error) {
    if (!existsSync(file)) throw error;
  } finally {
    for (const end of ends) rmSync(`${draft}${end}`, { force: true });
  }
};

const versionOf = (database: Database): number =>
  database.number("SELECT user_version AS n FROM pragma_user_version");

/** Does nothing, and takes no lock, when the version is the present one. */
const migrate = (database: Database, file: string): void => {
  const found = versionOf(database);
  if (found === schemaVersion) return;
  if (found === 0) database.exec("PRAGMA journal_mode = WAL");
  database.transaction(() => {
    const version = versionOf(database);
    if (version > schemaVersion) {
      throw usageError(
        `the sandbox '${file}' was made by a newer msg (version ${version} of its tables)`,
        { where: file, todo: "update msg, or name another file" },
      );
    }
    database.exec(stepsFrom(version));
  });
};

const stepsFrom = (version: number): string =>
  `${migrations.slice(version).join("\n")} PRAGMA user_version = ${schemaVersion};`;

export const migrations: readonly string[] = [
  accounts,
  messages,
  money,
  secondFactors,
  kakao,
  oauth,
  faults,
  files,
  quotaAndApps,
  notices,
  blocks,
];

/** The version that this program reads and writes. */
export const schemaVersion = migrations.length;
