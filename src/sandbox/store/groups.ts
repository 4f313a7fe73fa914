/** Message groups as they are stored. */
import type { groupStatuses } from "../../contract/message-records.ts";
import type { Database } from "./driver.ts";

/** A group; times are milliseconds since 1970, flags 0 and 1, money is won. */
export interface GroupRow {
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
  readonly created: number;
  readonly updated: number;
  readonly scheduled: number | null;
  readonly sent: number | null;
  readonly completed: number | null;
  readonly registeredSuccess: number;
  readonly registeredFailed: number;
  readonly sentTotal: number;
  readonly sentPending: number;
  readonly sentSuccess: number;
  readonly sentFailed: number;
  readonly sentReplacement: number;
  /** Messages whose price was given back. */
  readonly refunded: number;
  /** JSON of accepted messages by type and country: `{"sms":{"82":3}}`. */
  readonly charge: string;
  /** What the accepted messages cost together. */
  readonly price: number;
  readonly balanceRequested: number;
  readonly balanceReplacement: number;
  readonly balanceRefund: number;
  readonly pointRequested: number;
  readonly pointReplacement: number;
  readonly pointRefund: number;
  /** JSON array of log entries. */
  readonly log: string;
  /** 1: some of its messages bring others along that are sent in their place, or are of Kakao. */
  readonly replaceable: number;
}

export interface Groups {
  insert(group: GroupRow): void;
  /** Writes every column of a group that exists; with what it was before, those that differ. */
  update(group: GroupRow, before?: GroupRow): void;
  bySeq(seq: number): GroupRow | undefined;
}

const columns = [
  "accountId",
  "status",
  "strict",
  "allowDuplicates",
  "prepaid",
  "appId",
  "appVersion",
  "appProfit",
  "sdkVersion",
  "osPlatform",
  "customFields",
  "hint",
  "created",
  "updated",
  "scheduled",
  "sent",
  "completed",
  "registeredSuccess",
  "registeredFailed",
  "sentTotal",
  "sentPending",
  "sentSuccess",
  "sentFailed",
  "sentReplacement",
  "refunded",
  "charge",
  "price",
  "balanceRequested",
  "balanceReplacement",
  "balanceRefund",
  "pointRequested",
  "pointReplacement",
  "pointRefund",
  "log",
  "replaceable",
] as const satisfies readonly (keyof GroupRow)[];

const insertSql = `INSERT INTO groups (${columns.join(", ")}, seq)
  VALUES (${columns.map(() => "?").join(", ")}, ?)`;
const update = (database: Database, group: GroupRow, before: GroupRow | undefined): void => {
  const changed = before ? columns.filter((name) => group[name] !== before[name]) : columns;
  if (changed.length === 0) return;
  const sql = `UPDATE groups SET ${changed.map((name) => `${name} = ?`).join(", ")} WHERE seq = ?`;
  database.run(sql, ...changed.map((name) => group[name]), group.seq);
};

export const createGroups = (database: Database): Groups => ({
  insert: (group) => void database.run(insertSql, ...columns.map((name) => group[name]), group.seq),
  update: (group, before) => update(database, group, before),
  bySeq: (seq) => database.get<GroupRow>("SELECT * FROM groups WHERE seq = ?", seq),
});
