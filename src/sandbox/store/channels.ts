/** Linked channels, and the tokens that link them. */
import type { Database } from "./driver.ts";
import { type RowsQuery, rowsById } from "./filters.ts";
import { insertRow } from "./rows.ts";

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

export type ChannelColumn = Exclude<keyof ChannelRow, "accountId" | "senderKey">;

export interface TokenRow {
  readonly seq: number;
  readonly accountId: string;
  readonly searchId: string;
  readonly phoneNumber: string;
  readonly used: number;
  readonly created: number;
}

export const createChannels = (database: Database) => ({
  insert: (row: ChannelRow): void => insertRow(database, "channels", row),
  read: (pfId: string): ChannelRow | undefined =>
    database.get("SELECT * FROM channels WHERE pfId = ?", pfId),
  bySearchId: (accountId: string, searchId: string): ChannelRow | undefined => {
    const sql = "SELECT * FROM channels WHERE accountId = ? AND searchId = ?";
    return database.get(sql, accountId, searchId);
  },
  list: (query: RowsQuery<ChannelColumn>): ChannelRow[] =>
    rowsById(database, { table: "channels", id: "pfId" }, query),
  all: (): ChannelRow[] => database.all("SELECT * FROM channels ORDER BY pfId"),
  remove: (pfId: string): void => void database.run("DELETE FROM channels WHERE pfId = ?", pfId),
  addToken: (token: Omit<TokenRow, "seq" | "used">): void =>
    insertRow(database, "link_tokens", token),
  /** The newest token of an account for a channel and a phone, with hyphens or without. */
  lastToken: ({
    accountId,
    searchId,
    phoneNumber,
  }: Pick<TokenRow, "accountId" | "searchId" | "phoneNumber">): TokenRow | undefined =>
    database.get(
      `SELECT * FROM link_tokens WHERE accountId = ? AND searchId = ?
         AND replace(phoneNumber, '-', '') = replace(?, '-', '') ORDER BY seq DESC LIMIT 1`,
      accountId,
      searchId,
      phoneNumber,
    ),
  useToken: (seq: number): void =>
    void database.run("UPDATE link_tokens SET used = 1 WHERE seq = ?", seq),
  /** The newest, so many at most. */
  tokens: (max: number): TokenRow[] =>
    database.all("SELECT * FROM link_tokens ORDER BY seq DESC LIMIT ?", max),
});
