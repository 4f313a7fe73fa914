/** Everything that the sandbox keeps, one member an area. This folder alone knows SQL. */
import { type Accounts, createAccounts } from "./accounts.ts";
import { type Apps, createApps } from "./apps.ts";
import { type Callers, createCallers } from "./callers.ts";
import { type Cards, createCards } from "./cards.ts";
import { type Channels, createChannels } from "./channels.ts";
import { clearTables } from "./clear.ts";
import { type Counters, createCounters } from "./counters.ts";
import { createDashboardQueries, type DashboardQueries } from "./dashboard-queries.ts";
import type { Database } from "./driver.ts";
import { createFaults, type Faults } from "./faults.ts";
import { createFiles, type Files } from "./files.ts";
import { createListGroups, type ListGroups } from "./group-list.ts";
import { createGroupMessages, type GroupMessages } from "./group-messages.ts";
import { createGroups, type Groups } from "./groups.ts";
import { createLedger, type Ledger } from "./ledger.ts";
import { createMessageFeed, type MessageFeed } from "./message-feed.ts";
import { createListMessages, type ListMessages } from "./message-list.ts";
import { createMessages, type Messages } from "./messages.ts";
import { createOAuth, type OAuth } from "./oauth.ts";
import { openTables } from "./open.ts";
import { createPhones, type Phones } from "./phones.ts";
import { createQuotas, type Quotas } from "./quotas.ts";
import { createRequests, type Requests } from "./requests.ts";
import { createReviewQueue, type ReviewQueue } from "./review-queue.ts";
import { createScheduledJobs, type ScheduledJobs } from "./scheduled-jobs.ts";
import { createSecondFactors, type SecondFactors } from "./second-factors.ts";
import { createSendersAndPrices, type SendersAndPrices } from "./senders-and-prices.ts";
import { createSettings, type Settings } from "./settings.ts";
import { createSignatures, type Signatures } from "./signatures.ts";
import { createStatistics, type Statistics } from "./statistics.ts";
import { createTemplates, type Templates } from "./templates.ts";
import { createWithdrawals, type Withdrawals } from "./withdrawals.ts";

export interface Store {
  readonly accounts: Accounts;
  readonly apps: Apps;
  readonly sendersAndPrices: SendersAndPrices;
  readonly callers: Callers;
  readonly cards: Cards;
  readonly channels: Channels;
  readonly counters: Counters;
  readonly scheduledJobs: ScheduledJobs;
  readonly groupMessages: GroupMessages;
  readonly faults: Faults;
  readonly messageFeed: MessageFeed;
  readonly files: Files;
  readonly groups: Groups;
  readonly listGroups: ListGroups;
  readonly ledger: Ledger;
  readonly listMessages: ListMessages;
  readonly messages: Messages;
  readonly oauth: OAuth;
  readonly dashboard: DashboardQueries;
  readonly phones: Phones;
  readonly quotas: Quotas;
  readonly requests: Requests;
  readonly secondFactors: SecondFactors;
  readonly settings: Settings;
  readonly signatures: Signatures;
  readonly reviewQueue: ReviewQueue;
  readonly withdrawals: Withdrawals;
  readonly templates: Templates;
  readonly statistics: Statistics;
  /** All or nothing, under the write lock; inside another, only `work` itself is undone. */
  transaction<T>(work: () => T): T;
  /** Changes whenever anything is written, by this process or another. Reads no table. */
  version(): string;
  /** Empties every table but settings and signatures. */
  clear(): void;
  close(): void;
}

/** Opens a file, or a store in memory for `:memory:`. Throws MsgError for a file of a newer program. */
export const openStore = (file: string): Store => {
  const database = openTables(file);
  return {
    accounts: createAccounts(database),
    apps: createApps(database),
    sendersAndPrices: createSendersAndPrices(database),
    callers: createCallers(database),
    cards: createCards(database),
    channels: createChannels(database),
    counters: createCounters(database),
    scheduledJobs: createScheduledJobs(database),
    groupMessages: createGroupMessages(database),
    faults: createFaults(database),
    messageFeed: createMessageFeed(database),
    files: createFiles(database),
    groups: createGroups(database),
    listGroups: createListGroups(database),
    ledger: createLedger(database),
    listMessages: createListMessages(database),
    messages: createMessages(database),
    oauth: createOAuth(database),
    dashboard: createDashboardQueries(database),
    phones: createPhones(database),
    quotas: createQuotas(database),
    requests: createRequests(database),
    secondFactors: createSecondFactors(database),
    settings: createSettings(database),
    signatures: createSignatures(database),
    reviewQueue: createReviewQueue(database),
    withdrawals: createWithdrawals(database),
    templates: createTemplates(database),
    statistics: createStatistics(database),
    transaction: database.transaction,
    version: () => versionOf(database),
    clear: () => clearTables(database),
    close: database.close,
  };
};

/** `data_version` counts writes of other connections only, `total_changes` of this one only. */
const versionOf = (database: Database): string => {
  const row = database.get<{ others: number; ours: number }>(
    "SELECT data_version AS others, total_changes() AS ours FROM pragma_data_version",
  );
  return `${row?.others}.${row?.ours}`;
};
