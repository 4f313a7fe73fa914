/** Linked channels, and the tokens that link them. */
import type { Database } from "./driver.ts";
import { type RowsQuery, rowsById } from "./filters.ts";
import { limitClause } from "./sql-fragments.ts";

export interface ChannelRow {
  readonly pfId: string;
  readonly accountId: string;
  /** Without @. */
  readonly searchId: string;
  readonly phoneNumber: string;
  readonly senderKey: string;
  readonly categoryCode: string;
  readonly created: number;
  readonly updated: number;
}

export type ChannelColumn =
  | "pfId"
  | "categoryCode"
  | "searchId"
  | "phoneNumber"
  | "created"
  | "updated";

export interface TokenRow {
  readonly seq: number;
  readonly accountId: string;
  readonly searchId: string;
  readonly phoneNumber: string;
  readonly used: number;
  readonly created: number;
}

export interface Channels {
  insert(channel: ChannelRow): void;
  read(pfId: string): ChannelRow | undefined;
  bySearchId(accountId: string, searchId: string): ChannelRow | undefined;
  list(query: RowsQuery<ChannelColumn>): ChannelRow[];
  all(): ChannelRow[];
  remove(pfId: string): void;
  /** Returns the number of the token. */
  addToken(token: Omit<TokenRow, "seq" | "used">): number;
  /** The newest token of an account for a channel and a phone, with hyphens or without. */
  lastToken(token: Pick<TokenRow, "accountId" | "searchId" | "phoneNumber">): TokenRow | undefined;
  useToken(seq: number): void;
  /** The newest, so many at most. */
  tokens(max: number): TokenRow[];
}

export const createChannels = (database: Database): Channels => ({
  insert: (row) => insert(database, row),
  read: (pfId) => database.get("SELECT * FROM channels WHERE pfId = ?", pfId),
  bySearchId: (accountId, searchId) =>
    database.get(
      "SELECT * FROM channels WHERE accountId = ? AND searchId = ?",
      accountId,
      searchId,
    ),
  list: (query) => rowsById(database, { table: "channels", id: "pfId" }, query),
  all: () => database.all("SELECT * FROM channels ORDER BY pfId"),
  remove: (pfId) => void database.run("DELETE FROM channels WHERE pfId = ?", pfId),
  addToken: ({ accountId, searchId, phoneNumber, created }) =>
    database.get<{ seq: number }>(
      `INSERT INTO link_tokens (accountId, searchId, phoneNumber, created) VALUES (?, ?, ?, ?)
       RETURNING seq`,
      accountId,
      searchId,
      phoneNumber,
      created,
    )?.seq ?? 0,
  lastToken: ({ accountId, searchId, phoneNumber }) =>
    database.get(
      `SELECT * FROM link_tokens WHERE accountId = ? AND searchId = ?
         AND replace(phoneNumber, '-', '') = replace(?, '-', '') ORDER BY seq DESC LIMIT 1`,
      accountId,
      searchId,
      phoneNumber,
    ),
  useToken: (seq) => void database.run("UPDATE link_tokens SET used = 1 WHERE seq = ?", seq),
  tokens: (max) => database.all(`SELECT * FROM link_tokens ORDER BY seq DESC ${limitClause}`, max),
});

const insert = (database: Database, row: ChannelRow): void => {
  database.run(
    `INSERT INTO channels (pfId, accountId, searchId, phoneNumber, senderKey, categoryCode,
       created, updated) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
    row.pfId,
    row.accountId,
    row.searchId,
    row.phoneNumber,
    row.senderKey,
    row.categoryCode,
    row.created,
    row.updated,
  );
};
