/** Recipients that an account does not send to. */
import type { Database } from "./driver.ts";
import { insertReturning } from "./rows.ts";

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
  /** Undefined where it is there already. */
  add: (row: Omit<BlockRow, "seq">): BlockRow | undefined =>
    insertReturning(database, "blocks", row),
  /** How many of a recipient were removed. */
  remove: (accountId: string, recipient: string): number =>
    database.all(
      "DELETE FROM blocks WHERE accountId = ? AND recipient = ? RETURNING seq",
      accountId,
      recipient,
    ).length,
  /** Newest first. */
  of: (accountId: string): BlockRow[] =>
    database.all("SELECT * FROM blocks WHERE accountId = ? ORDER BY seq DESC", accountId),
});
