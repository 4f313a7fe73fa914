/** The sandbox's settings: named values and counters, stored so that all processes agree. */
import type { Reply } from "../../contract/endpoint.ts";
import type { changeSettings } from "../../contract/sandbox-state.ts";
import type { Database } from "./driver.ts";
import { insertRow } from "./rows.ts";

/** What `msg sandbox status` shows of the settings, and what it does not. */
interface SettingValues
  extends Omit<Reply<typeof changeSettings>, "business" | "signing" | "store"> {
  /** Requests of the running second by key. */
  readonly rates: { readonly second: number; readonly used: Readonly<Record<string, number>> };
  /** What ids follow from: the seed, else drawn from the time of the reset. */
  readonly idSeed: number;
  /** True once the fixtures are in. */
  readonly filled: boolean;
}

const initial: SettingValues = {
  /** From one step of a delivery to the next. */
  tickMs: 1000,
  clockOffsetMs: 0,
  signingSkewMs: 0,
  /** Requests that one key may make per second; null for no limit. */
  rateLimit: null,
  rates: { second: 0, used: {} },
  secondFactor: "required",
  /** Signatures dated by the wall clock of Seoul are accepted too. */
  lenientDates: false,
  /** Whether groups come back with their customFields: no source says that they do. */
  groupFields: "returned",
  /** What `reset --seed` was given; null without. */
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
  all: (): SettingValues => {
    const rows = database.all<{ name: string; value: string }>("SELECT * FROM settings");
    return { ...initial, ...Object.fromEntries(rows.map((it) => [it.name, JSON.parse(it.value)])) };
  },
  set: <N extends keyof SettingValues>(name: N, value: SettingValues[N]): void => {
    const replace = "ON CONFLICT DO UPDATE SET value = excluded.value";
    insertRow(database, "settings", { name, value: JSON.stringify(value) }, replace);
  },
  clear: (): void => void database.run("DELETE FROM settings"),
});

export type Counter =
  | "group"
  | "message"
  | "channel"
  | "template"
  | "chance"
  | "file"
  | "quotaRequest";

/** Takes numbers in a row and returns the first. They only grow: the number of a deleted row is never reused. */
export const takeNumbers = (database: Database, name: Counter, count: number): number => {
  const last = database.number(
    `INSERT INTO counters (name, value) VALUES (?, ?)
     ON CONFLICT (name) DO UPDATE SET value = value + excluded.value RETURNING value AS n`,
    [name, count],
  );
  return last - count + 1;
};
