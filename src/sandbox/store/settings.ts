/** How the sandbox is set: named values and counters, kept so that all processes agree. */
import type { Database } from "./driver.ts";
import { insertRow } from "./rows.ts";

interface SettingValues {
  /** From one step of a delivery to the next. */
  readonly tickMs: number;
  readonly clockOffsetMs: number;
  readonly signingSkewMs: number;
  /** Requests that one key may make a second; null for no limit. */
  readonly rateLimit: number | null;
  /** Requests of the running second by key. */
  readonly rates: { readonly second: number; readonly used: Readonly<Record<string, number>> };
  readonly secondFactor: "required" | "off";
  /** Signatures dated by the wall clock of Seoul are taken as well. */
  readonly lenientDates: boolean;
  /** Whether groups come back with their customFields: no source says that they do. */
  readonly groupFields: "returned" | "dropped";
  /** What `reset --seed` was given; null without. */
  readonly seed: number | null;
  /** What ids follow from: the seed, else drawn from the time of the reset. */
  readonly idSeed: number;
  /** True once the fixtures are in. */
  readonly filled: boolean;
}

const initial: SettingValues = {
  tickMs: 1000,
  clockOffsetMs: 0,
  signingSkewMs: 0,
  rateLimit: null,
  rates: { second: 0, used: {} },
  secondFactor: "required",
  lenientDates: false,
  groupFields: "returned",
  seed: null,
  idSeed: 0,
  filled: false,
};

export const createSettings = (database: Database) => ({
  get: <N extends keyof SettingValues>(name: N): SettingValues[N] => {
    const sql = "SELECT value FROM settings WHERE name = ?";
    const row = database.get<{ value: string }>(sql, [name]);
    return row === undefined ? initial[name] : JSON.parse(row.value);
  },
  set: <N extends keyof SettingValues>(name: N, value: SettingValues[N]): void => {
    const replace = "ON CONFLICT DO UPDATE SET value = excluded.value";
    insertRow(database, "settings", { name, value: JSON.stringify(value) }, replace);
  },
  /** Puts every setting back to its first value. */
  clear: (): void => void database.run("DELETE FROM settings"),
});

type Counter = "group" | "message" | "channel" | "template" | "chance" | "file" | "quotaRequest";

/** Numbers that only grow, so that what is deleted never gives its number to another row. */
export const createCounters = (database: Database) => ({
  /** Takes `count` numbers in a row and returns the first of them. */
  take: (name: Counter, count: number): number => {
    const last = database.number(
      `INSERT INTO counters (name, value) VALUES (?, ?)
       ON CONFLICT (name) DO UPDATE SET value = value + excluded.value RETURNING value AS n`,
      [name, count],
    );
    return last - count + 1;
  },
});
