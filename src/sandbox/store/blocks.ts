/** Recipients that an account may not send to: it blocked them, or they opted out. */
import type { Database } from "./driver.ts";
import { insertUnlessExists } from "./rows.ts";

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
