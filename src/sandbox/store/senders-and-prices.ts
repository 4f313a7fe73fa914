/** The data for checking and pricing a message: senders, blocked recipients, prices. */
import type { Reply } from "../../contract/endpoint.ts";
import type { TypeKey } from "../../contract/message-records.ts";
import type { listAccounts } from "../../contract/sandbox.ts";
import type { Database } from "./driver.ts";
import { createTable, insertRow, insertUnlessExists } from "./rows.ts";

/** Types with a published price in every country. */
type PublishedKey = Extract<TypeKey, "sms" | "lms" | "mms" | "ata" | "cta" | "cti">;

export interface PriceRow {
  readonly countryId: string;
  readonly countryName: string;
  /** Published prices in won a message. */
  readonly units: Readonly<Record<PublishedKey, number>>;
  readonly created: number;
}

type Sender = Reply<typeof listAccounts>["senders"][number];

export const createSendersAndPrices = (database: Database) => {
  const prices = createTable<PriceRow, "units">(database, "prices", "countryId", ["units"]);
  return {
    senders: (): Sender[] =>
      database.all("SELECT accountId, phoneNumber FROM senders ORDER BY accountId, phoneNumber"),
    sendersOf: (accountId: string): string[] => {
      const sql = "SELECT * FROM senders WHERE accountId = ? ORDER BY phoneNumber";
      return database.all<Sender>(sql, [accountId]).map(({ phoneNumber }) => phoneNumber);
    },
    isSender: (accountId: string, phoneNumber: string): boolean => {
      const sql = "SELECT phoneNumber FROM senders WHERE accountId = ? AND phoneNumber = ?";
      return database.get(sql, [accountId, phoneNumber]) !== undefined;
    },
    /** Registers a number to send from; does nothing if it is registered. */
    addSender: (sender: Sender): void =>
      insertRow(database, "senders", sender, "ON CONFLICT DO NOTHING"),
    price: prices.read,
    /** 82 first, then by number. */
    prices: (): PriceRow[] =>
      prices.select("ORDER BY countryId <> '82', CAST(countryId AS INTEGER)"),
    addPrice: prices.insert,
  };
};

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
