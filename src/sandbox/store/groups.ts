/** Message groups as they are stored, and pages of them, newest first. */
import type { groupStatuses } from "../../contract/message-records.ts";
import type { Database } from "./driver.ts";
import { type Cursor, createTable, type PageQuery, pageByTime, type Times } from "./rows.ts";

/** The members of a group that start at zero; money is won. */
const noCounts = {
  registeredSuccess: 0,
  registeredFailed: 0,
  sentTotal: 0,
  sentPending: 0,
  sentSuccess: 0,
  sentFailed: 0,
  sentReplacement: 0,
  /** Messages whose price was refunded. */
  refunded: 0,
  /** JSON of accepted messages by type and country: `{"sms":{"82":3}}`. */
  charge: "{}",
  /** What the accepted messages cost together. */
  price: 0,
  balanceRequested: 0,
  balanceReplacement: 0,
  balanceRefund: 0,
  pointRequested: 0,
  pointReplacement: 0,
  pointRefund: 0,
  /** JSON array of log entries. */
  log: "[]",
  /** 1: some of its messages have replacements, or are Kakao messages. */
  replaceable: 0,
};

/** A group; times are milliseconds since 1970, flags 0 and 1. */
export interface GroupRow extends Readonly<typeof noCounts>, Times {
  readonly seq: number;
  readonly accountId: string;
  readonly status: (typeof groupStatuses)[number];
  readonly strict: number;
  readonly allowDuplicates: number;
  /** 1: charged when it is sent; 0: billed later. */
  readonly prepaid: number;
  readonly appId: string | null;
  readonly appVersion: string | null;
  /** JSON: what the app earned with a message of each type when the group was made. */
  readonly appProfit: string | null;
  readonly sdkVersion: string | null;
  readonly osPlatform: string | null;
  /** JSON. */
  readonly customFields: string;
  readonly hint: string | null;
  readonly scheduled: number | null;
  readonly sent: number | null;
  readonly completed: number | null;
}

export const pendingGroup = {
  ...noCounts,
  status: "PENDING",
  hint: null,
  scheduled: null,
  sent: null,
  completed: null,
} as const satisfies Partial<GroupRow>;

type Filtered = "seq" | "status" | "created" | "updated" | "scheduled" | "sentTotal";
/** What a list of groups may be filtered by; `total` is a sum of columns. */
export type GroupColumn = Filtered | "total";

const termOf = (column: GroupColumn): string =>
  column === "total" ? "(registeredSuccess + registeredFailed)" : column;

export const createGroups = (database: Database) => ({
  ...createTable<GroupRow>(database, "groups", "seq"),
  /** In the order of dateCreated, then of id, both descending. */
  list: (query: PageQuery<GroupColumn, Cursor>): GroupRow[] => {
    // The number finds its one group, whatever the account holds.
    const byId = query.filters.some(({ column, is }) => column === "seq" && is === "eq");
    const source = `groups ${byId ? "NOT INDEXED" : "INDEXED BY groups_by_account"}`;
    return pageByTime(database, source, query, termOf);
  },
});
