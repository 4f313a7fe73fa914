/** How the sandbox is set: named values, kept so that all processes agree. */
import type { Database } from "./driver.ts";

export interface SettingValues {
  /** From one step of a delivery to the next. */
  readonly tickMs: number;
  readonly clockOffsetMs: number;
  readonly signingSkewMs: number;
  /** Requests that one key may make a second; null for no limit. */
  readonly rateLimit: number | null;
  /** Requests of the running second by key. */
  readonly rates: { readonly second: number; readonly used: Readonly<Record<string, number>> };
  readonly secondFactor: "required" | "off";
  /** What `reset --seed` was given; null without. */
  readonly seed: number | null;
  /** What ids follow from: the seed, else drawn from the time of the reset. */
  readonly idSeed: number;
  /** True once the fixtures are in. */
  readonly filled: boolean;
}

export type SettingName = keyof SettingValues;

export interface Settings {
  get<N extends SettingName>(name: N): SettingValues[N];
  set<N extends SettingName>(name: N, value: SettingValues[N]): void;
  all(): SettingValues;
  /** Puts every setting back to its first value. */
  clear(): void;
}

const first: SettingValues = {
  tickMs: 1000,
  clockOffsetMs: 0,
  signingSkewMs: 0,
  rateLimit: null,
  rates: { second: 0, used: {} },
  secondFactor: "required",
  seed: null,
  idSeed: 0,
  filled: false,
};

export const createSettings = (database: Database): Settings => {
  const all = (): SettingValues => {
    const rows = database.all<{ name: string; value: string }>("SELECT name, value FROM settings");
    return {
      ...first,
      ...Object.fromEntries(rows.map((row) => [row.name, JSON.parse(row.value)])),
    };
  };
  let known: { readonly snapshot: number; readonly values: SettingValues } | undefined;
  const whole = (snapshot: number): SettingValues => {
    if (known?.snapshot !== snapshot) known = { snapshot, values: all() };
    return known.values;
  };
  const change = (sql: string, ...values: string[]): void => {
    known = undefined;
    database.run(sql, ...values);
  };
  return {
    get: (name) => {
      const snapshot = database.snapshotVersion();
      // A request reads six of them, and many requests share a transaction.
      if (snapshot !== undefined) return whole(snapshot)[name];
      const row = database.get<{ value: string }>(
        "SELECT value FROM settings WHERE name = ?",
        name,
      );
      return row === undefined ? first[name] : JSON.parse(row.value);
    },
    set: (name, value) => {
      const sql = "INSERT OR REPLACE INTO settings (name, value) VALUES (?, ?)";
      change(sql, name, JSON.stringify(value));
    },
    all,
    clear: () => change("DELETE FROM settings"),
  };
};
