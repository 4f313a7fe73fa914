/** Numbers that only grow, so that what is deleted never gives its number to another row. */
import type { Database } from "./driver.ts";

type Counter = "group" | "message" | "channel" | "template" | "chance" | "file" | "quotaRequest";

export interface Counters {
  /** Takes `count` numbers in a row and returns the first of them. */
  take(name: Counter, count: number): number;
}

export const createCounters = (database: Database): Counters => ({
  take: (name, count) => {
    const row = database.get<{ value: number }>(
      `INSERT INTO counters (name, value) VALUES (?, ?)
       ON CONFLICT (name) DO UPDATE SET value = value + excluded.value RETURNING value`,
      name,
      count,
    );
    return (row?.value ?? count) - count + 1;
  },
});
