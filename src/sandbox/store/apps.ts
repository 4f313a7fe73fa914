/** Apps of the app store, what was paid out to them and what they have earned since. */
import type { Database, Value } from "./driver.ts";
import { type Filter, insertRow, updateRow, whereOf } from "./rows.ts";

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
type SettlementRow = Pick<AppRow, "appId" | "accountId" | "appName" | "created">;

/** A span of time, both ends included, of all apps of an account or of one. */
interface ProfitQuery {
  readonly accountId: string;
  readonly appId?: string | undefined;
  readonly from: number;
  readonly until: number;
}

export const createApps = (database: Database) => ({
  insert: (app: AppRow): void => insertRow(database, "apps", app),
  read: (appId: string): AppRow | undefined =>
    database.get("SELECT * FROM apps WHERE appId = ?", appId),
  all: (): AppRow[] => database.all("SELECT * FROM apps ORDER BY created, appId"),
  setLive: (appId: string, updated: number): void =>
    updateRow(database, "apps", "appId", { appId, stage: "LIVE", updated }),
  addSettlement: (appId: string, created: number): void =>
    insertRow(database, "settlements", { appId, created }),
  addEarning: (appId: string, amount: number, created: number): void =>
    insertRow(database, "earnings", { appId, amount, created }),
  /** Newest first. */
  settlements: ({
    offset,
    limit,
    ...query
  }: ProfitQuery & { readonly offset: number; readonly limit: number }): SettlementRow[] => {
    const values: Value[] = [];
    const where = profitWhere(query, values);
    return database.all(
      `SELECT t.appId, a.accountId, a.appName, t.created
       FROM settlements t JOIN apps a USING (appId) WHERE ${where}
       ORDER BY t.created DESC, t.seq DESC LIMIT ? OFFSET ?`,
      ...values,
      limit,
      offset,
    );
  },
  /** Won that was earned and not yet paid out. */
  earned: (query: ProfitQuery): number => {
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
