/** The numbers that an account sends from, and those that it may not send to. */
import type { Reply } from "../../contract/endpoint.ts";
import type { listAccounts } from "../../contract/sandbox.ts";
import type { Database } from "./driver.ts";
import { insertRow, insertUnlessExists } from "./rows.ts";

type Sender = Reply<typeof listAccounts>["senders"][number];

export const createSenders = (database: Database) => ({
  all: (): Sender[] =>
    database.all("SELECT accountId, phoneNumber FROM senders ORDER BY accountId, phoneNumber"),
  of: (accountId: string): string[] => {
    const sql = "SELECT * FROM senders WHERE accountId = ? ORDER BY phoneNumber";
    return database.all<Sender>(sql, [accountId]).map(({ phoneNumber }) => phoneNumber);
  },
  has: (accountId: string, phoneNumber: string): boolean => {
    const sql = "SELECT phoneNumber FROM senders WHERE accountId = ? AND phoneNumber = ?";
    return database.get(sql, [accountId, phoneNumber]) !== undefined;
  },
  /** Does nothing if the number is registered. */
  add: (sender: Sender): void => insertRow(database, "senders", sender, "ON CONFLICT DO NOTHING"),
});

/** A recipient that the account blocked, or who opted out. */
export interface BlockRow {
  readonly seq: number;
  readonly accountId: string;
  readonly recipient: string;
  /** Empty for every sender. */
  readonly sender: string;
  /** 1: the recipient's own wish, by an 080 number. */
  readonly optedOut: number;
  readonly memo: string;
  readonly created: number;
}

export const createBlocks = (database: Database) => ({
  /** Undefined if it exists already. */
  add: (row: Omit<BlockRow, "seq">): BlockRow | undefined =>
    insertUnlessExists(database, "blocks", row),
  /** Returns how many blocks of a recipient were removed. */
  remove: (accountId: string, recipient: string): number => {
    const sql = "DELETE FROM blocks WHERE accountId = ? AND recipient = ?";
    return database.run(sql, [accountId, recipient]);
  },
  /** Newest first. */
  list: (accountId: string): BlockRow[] =>
    database.all("SELECT * FROM blocks WHERE accountId = ? ORDER BY seq DESC", [accountId]),
});
