/** Everything that the sandbox stores, one member per area. Only this folder contains SQL. */
import { createAccounts, createLedger } from "./accounts.ts";
import { createApps } from "./apps.ts";
import { createCallers } from "./callers.ts";
import { createDashboardQueries } from "./dashboard-queries.ts";
import { createDeliveries } from "./deliveries.ts";
import type { Database } from "./driver.ts";
import { createFaults } from "./faults.ts";
import { createFiles } from "./files.ts";
import { createGroups } from "./groups.ts";
import { createChannels, createTemplates } from "./kakao.ts";
import { createMessageFeed } from "./message-feed.ts";
import { createMessages } from "./messages.ts";
import { createOAuth } from "./oauth.ts";
import { openTables } from "./open-tables.ts";
import { createBankAccounts, createCards, createWithdrawals } from "./payments.ts";
import { createBlocks, createSenders } from "./phone-numbers.ts";
import { createPrices } from "./prices.ts";
import { createQuotaRequests, createQuotas } from "./quotas.ts";
import { createRequests } from "./requests.ts";
import { createScheduledJobs } from "./scheduled-jobs.ts";
import { createSecondFactors } from "./second-factors.ts";
import { type Counter, createSettings, takeNumbers } from "./settings.ts";
import { createStatistics } from "./statistics.ts";

export type Store = ReturnType<typeof openStore>;

/** Opens a file, or a store in memory for `:memory:`. Throws MsgError for a file of a newer program. */
export const openStore = (file: string) => {
  const database = openTables(file);
  return {
    accounts: createAccounts(database),
    apps: createApps(database),
    blocks: createBlocks(database),
    bankAccounts: createBankAccounts(database),
    callers: createCallers(database),
    cards: createCards(database),
    channels: createChannels(database),
    dashboard: createDashboardQueries(database),
    deliveries: createDeliveries(database),
    faults: createFaults(database),
    files: createFiles(database),
    groups: createGroups(database),
    ledger: createLedger(database),
    messageFeed: createMessageFeed(database),
    messages: createMessages(database),
    oauth: createOAuth(database),
    prices: createPrices(database),
    quotas: createQuotas(database),
    quotaRequests: createQuotaRequests(database),
    requests: createRequests(database),
    scheduledJobs: createScheduledJobs(database),
    secondFactors: createSecondFactors(database),
    senders: createSenders(database),
    settings: createSettings(database),
    statistics: createStatistics(database),
    templates: createTemplates(database),
    withdrawals: createWithdrawals(database),
    nextNumber: (of: Counter): number => takeNumbers(database, of, 1),
    /** All or nothing, under the write lock; inside another, only `work` itself is undone. */
    transaction: database.transaction,
    /** Changes whenever anything is written, by this process or another. Reads no table. */
    version: () => database.get<{ version: string }>(versionSql)?.version,
    /** Empties every table but settings and signatures. */
    clear: () => clearTables(database),
    close: database.close,
  };
};

/** `data_version` counts writes of other connections only, `total_changes` of this one only. */
const versionSql =
  "SELECT data_version || '.' || total_changes() AS version FROM pragma_data_version";

/**
 * Settings hold the clock; a signature stays used after a reset. `sqlite_sequence` is emptied as well,
 * so that requests, cards and the like are numbered from 1 again: the same seed makes the same ids.
 */
const kept = ["settings", "signatures"];

const clearTables = (database: Database): void => {
  database.exec("PRAGMA defer_foreign_keys = ON");
  const tables = database.all<{ name: string }>(
    "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_stat%'",
  );
  for (const { name } of tables) if (!kept.includes(name)) database.run(`DELETE FROM ${name}`);
};
