/** New sandboxes as copies of one: making its tables takes longer than most tests. */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { openSandbox } from "../../src/sandbox/index.ts";
import { openDatabase } from "../../src/sandbox/store/driver.ts";

/** What one is made of, once for each process. */
const kept = new Map<string, Uint8Array>();

/** Puts a store with nothing but its fixtures where none is. */
export const laySandbox = (file: string, now?: () => Date): void => {
  if (existsSync(file)) return;
  // By the clock of the system the fixtures are as old as the process: they have a past of days.
  const clock = isOfToday(now) ? undefined : now;
  const name = `new ${clock?.().getTime()}`;
  const bytes = kept.get(name) ?? newStore(clock);
  kept.set(name, bytes);
  lay(file, bytes);
};

/** Whether a clock goes with that of the system, or is less than an hour ahead of it: it takes the same store. */
export const isOfToday = (now = () => new Date()): boolean => {
  const systemMs = Date.now();
  const aheadMs = now().getTime() - systemMs;
  return aheadMs >= 0 && aheadMs < 3_600_000;
};

/** Puts the store there that was kept under a name; false where none was. */
export const layKept = (name: string, file: string): boolean => {
  const bytes = kept.get(name);
  if (bytes !== undefined) lay(file, bytes);
  return bytes !== undefined;
};

/** Keeps a store as it is now, while no one writes into it. */
export const keep = (name: string, file: string): void => {
  kept.set(name, bytesOf(file));
};

const bytesOf = (file: string): Uint8Array => {
  const database = openDatabase(file);
  database.exec("PRAGMA wal_checkpoint(TRUNCATE)");
  database.close();
  return readFileSync(file);
};

const lay = (file: string, bytes: Uint8Array): void => {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  writeFileSync(file, bytes, { mode: 0o600 });
};

const newStore = (now = () => new Date()): Uint8Array => {
  const folder = mkdtempSync(join(tmpdir(), "msg-fixtures-"));
  const file = join(folder, "sandbox.db");
  openSandbox({ file, now, wait: () => Promise.resolve() }).close();
  const bytes = bytesOf(file);
  rmSync(folder, { recursive: true });
  return bytes;
};
