/** Numbers that only grow, so that what is deleted never gives its number to another row. */
import type { Database } from "./driver.ts";

type Counter = "group" | "message" | "channel" | "template" | "chance" | "file" | "quotaRequest";

export interface Counters {
  /** Takes `count` numbers in a row and returns the first of them. Inside a transaction only. */
  take(name: Counter, count: number): number;
}

export const createCounters = (database: Database): Counters => ({
  take: (name, count) => {
    // Two plain statements take half the time of one that returns what it wrote.
    database.run(
      `INSERT INTO counters (name, value) VALUES (?, ?)
       ON CONFLICT (name) DO UPDATE SET value = value + excluded.value`,
      name,
      count,
    );
    const sql = "SELECT value FROM counters WHERE name = ?";
    return (database.get<{ value: number }>(sql, name)?.value ?? count) - count + 1;
  },
});
