/** Apps of the app store, what was paid out to them and what they have earned since. */
import type { Database, Value } from "./driver.ts";
import { type Filter, whereOf } from "./filters.ts";
import { limitClause } from "./sql-fragments.ts";

export interface AppRow {
  readonly appId: string;
  readonly accountId: string;
  readonly clientId: string;
  readonly appName: string;
  readonly appVersion: string | null;
  readonly stage: "DEVELOP" | "LIVE";
  readonly status: "ACTIVE" | "INACTIVE" | "BLOCKED";
  readonly reasonBlocked: string | null;
  /** JSON: won that the app earns with a message of each type. */
  readonly profit: string;
  readonly created: number;
  readonly updated: number;
}

/** One payment to an account for an app of its own. */
export interface SettlementRow {
  readonly appId: string;
  readonly accountId: string;
  readonly appName: string;
  readonly created: number;
}

/** A span of time, both ends included, of all apps of an account or of one. */
export interface ProfitQuery {
  readonly accountId: string;
  readonly appId?: string | undefined;
  readonly from: number;
  readonly until: number;
}

export interface Apps {
  insert(app: AppRow): void;
  read(appId: string): AppRow | undefined;
  all(): AppRow[];
  setLive(appId: string, at: number): void;
  addSettlement(appId: string, at: number): void;
  addEarning(appId: string, amount: number, at: number): void;
  /** Newest first. */
  settlements(
    query: ProfitQuery & { readonly offset: number; readonly limit: number },
  ): SettlementRow[];
  /** Won that was earned and not yet paid out. */
  earned(query: ProfitQuery): number;
}

const columns = [
  "appId",
  "accountId",
  "clientId",
  "appName",
  "appVersion",
  "stage",
  "status",
  "reasonBlocked",
  "profit",
  "created",
  "updated",
] as const satisfies readonly (keyof AppRow)[];

const insertSql = `INSERT INTO apps (${columns.join(", ")})
  VALUES (${columns.map(() => "?").join(", ")})`;

export const createApps = (database: Database): Apps => ({
  insert: (app) => void database.run(insertSql, ...columns.map((name) => app[name])),
  read: (appId) => database.get("SELECT * FROM apps WHERE appId = ?", appId),
  all: () => database.all("SELECT * FROM apps ORDER BY created, appId"),
  setLive: (appId, at) =>
    void database.run("UPDATE apps SET stage = 'LIVE', updated = ? WHERE appId = ?", at, appId),
  addSettlement: (appId, at) =>
    void database.run("INSERT INTO settlements (appId, created) VALUES (?, ?)", appId, at),
  addEarning: (appId, amount, at) =>
    void database.run(
      "INSERT INTO earnings (appId, amount, created) VALUES (?, ?, ?)",
      appId,
      amount,
      at,
    ),
  settlements: ({ offset, limit, ...query }) => {
    const values: Value[] = [];
    const where = profitWhere(query, values);
    return database.all(
      `SELECT t.appId, a.accountId, a.appName, t.created
       FROM settlements t JOIN apps a USING (appId) WHERE ${where}
       ORDER BY t.created DESC, t.seq DESC ${limitClause} OFFSET ?`,
      ...values,
      limit,
      offset,
    );
  },
  earned: (query) => {
    const values: Value[] = [];
    const where = profitWhere(query, values);
    const sql = `SELECT coalesce(sum(t.amount), 0) AS won
      FROM earnings t JOIN apps a USING (appId) WHERE ${where}`;
    return database.get<{ won: number }>(sql, ...values)?.won ?? 0;
  },
});

const profitWhere = ({ accountId, appId, from, until }: ProfitQuery, values: Value[]): string => {
  const filters: Filter<string>[] = [
    { column: "a.accountId", is: "eq", value: accountId },
    { column: "t.created", is: "gte", value: from },
    { column: "t.created", is: "lte", value: until },
    ...(appId === undefined ? [] : [{ column: "t.appId", is: "eq", value: appId } as const]),
  ];
  return whereOf(filters, values);
};
