/** Empties the tables. */
import type { Database } from "./driver.ts";

/**
 * Settings hold the clock; a signature stays used after a reset. `sqlite_sequence` is emptied as well,
 * so that requests, cards and the like are numbered from 1 again: the same seed makes the same ids.
 */
const kept = ["settings", "signatures"];

export const clearTables = (database: Database): void => {
  database.exec("PRAGMA defer_foreign_keys = ON");
  const tables = database.all<{ name: string }>(
    "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_stat%'",
  );
  for (const { name } of tables) if (!kept.includes(name)) database.run(`DELETE FROM ${name}`);
  database.invalidateSnapshot();
};
