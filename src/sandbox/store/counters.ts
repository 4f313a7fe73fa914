/** Numbers that only grow, so that what is deleted never gives its number to another row. */
import type { Database } from "./driver.ts";
import { createSnapshotCache } from "./snapshot-cache.ts";

type Counter = "group" | "message" | "channel" | "template" | "chance" | "file" | "quotaRequest";

export interface Counters {
  /** Takes `count` numbers in a row and returns the first of them. Inside a transaction only. */
  take(name: Counter, count: number): number;
}

export const createCounters = (database: Database): Counters => {
  const sql = "SELECT value FROM counters WHERE name = ?";
  const last = createSnapshotCache(
    database,
    (name) => database.get<{ value: number }>(sql, name)?.value ?? 0,
  );
  const take: Counters["take"] = (name, count) => {
    const before = last.get(name);
    last.set(name, before + count);
    database.run(
      `INSERT INTO counters (name, value) VALUES (?, ?)
       ON CONFLICT (name) DO UPDATE SET value = value + excluded.value`,
      name,
      count,
    );
    return before + 1;
  };
  return { take };
};
