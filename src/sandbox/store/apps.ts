/** Apps of the app store, what was paid out to them and what they have earned since. */
import type { App } from "../../contract/apps.ts";
import type { Database, Value } from "./driver.ts";
import { createTable, insertRow, type Times } from "./rows.ts";
import type { TimeSpan } from "./statistics.ts";

type Kept = "appId" | "accountId" | "clientId" | "appName" | "appVersion" | "reasonBlocked";

export interface AppRow extends Readonly<Pick<App, Kept>>, Times {
  readonly stage: "DEVELOP" | "LIVE";
  readonly status: "ACTIVE" | "INACTIVE" | "BLOCKED";
  /** JSON: won that the app earns with a message of each type. */
  readonly profit: string;
}

/** One payment to an account for an app of its own. */
type SettlementRow = Pick<AppRow, "appId" | "accountId" | "appName" | "created">;

/** A span of time, for one app of an account or all of them. */
interface ProfitSpan extends TimeSpan {
  readonly appId: string | undefined;
}

export const createApps = (database: Database) => {
  const apps = createTable<AppRow>(database, "apps", "appId");
  return {
    ...apps,
    all: (): AppRow[] => apps.select("ORDER BY created, appId"),
    addSettlement: (appId: string, created: number): void =>
      insertRow(database, "settlements", { appId, created }),
    addEarning: (appId: string, amount: number, created: number): void =>
      insertRow(database, "earnings", { appId, amount, created }),
    /** Newest first. */
    settlements: (span: ProfitSpan, offset: number, limit: number): SettlementRow[] =>
      database.all(
        `SELECT t.appId, a.accountId, a.appName, t.created FROM settlements ${inSpan}
       ORDER BY t.created DESC, t.seq DESC LIMIT ?5 OFFSET ?6`,
        [...valuesOf(span), limit, offset],
      ),
    /** Won that was earned and not yet paid out. */
    earned: (span: ProfitSpan): number =>
      database.number(
        `SELECT coalesce(sum(t.amount), 0) AS n FROM earnings ${inSpan}`,
        valuesOf(span),
      ),
  };
};

const inSpan = `t JOIN apps a USING (appId)
  WHERE a.accountId = ?1 AND t.created BETWEEN ?2 AND ?3 AND (?4 IS NULL OR t.appId = ?4)`;

const valuesOf = ({ accountId, from, until, appId }: ProfitSpan): Value[] => [
  accountId,
  from,
  until,
  appId ?? null,
];
