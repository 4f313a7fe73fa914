/** The registered numbers that accounts send from. */
import type { Reply } from "../../contract/endpoint.ts";
import type { listAccounts } from "../../contract/sandbox.ts";
import type { Database } from "./driver.ts";
import { insertRow } from "./rows.ts";

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
