/** New sandboxes as copies of one: making its tables takes longer than most tests. */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { openDatabase } from "../../src/sandbox/store/driver.ts";
import { openTables } from "../../src/sandbox/store/open.ts";

/** What one is made of, once for each process. */
const kept = new Map<string, Uint8Array>();

/** Puts an empty store where none is. */
export const layTables = (file: string): void => {
  if (existsSync(file)) return;
  const bytes = kept.get("tables") ?? tablesAlone();
  kept.set("tables", bytes);
  lay(file, bytes);
};

/** Puts the store there that was kept under a name; false where none was. */
export const layKept = (name: string, file: string): boolean => {
  const bytes = kept.get(name);
  if (bytes !== undefined) lay(file, bytes);
  return bytes !== undefined;
};

/** Keeps a store as it is now, while no one writes into it. */
export const keep = (name: string, file: string): void => {
  const database = openDatabase(file);
  database.exec("PRAGMA wal_checkpoint(TRUNCATE)");
  database.close();
  kept.set(name, readFileSync(file));
};

const lay = (file: string, bytes: Uint8Array): void => {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  writeFileSync(file, bytes, { mode: 0o600 });
};

const tablesAlone = (): Uint8Array => {
  const folder = mkdtempSync(join(tmpdir(), "msg-tables-"));
  const file = join(folder, "sandbox.db");
  openTables(file).close();
  const bytes = readFileSync(file);
  rmSync(folder, { recursive: true });
  return bytes;
};
