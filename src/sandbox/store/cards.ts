/** Cards: what a person recognises them by, and in which order they are charged. */
import type { Database } from "./driver.ts";
import { insertReturning } from "./rows.ts";

export interface CardRow {
  readonly seq: number;
  readonly accountId: string;
  readonly brand: string;
  readonly lastDigits: string;
  /** `YYYY/MM`. */
  readonly expires: string;
  readonly description: string;
  /** 0: not for automatic recharge; the lowest of the others is charged first. */
  readonly priority: number;
  readonly created: number;
  readonly updated: number;
}

export const createCards = (database: Database) => ({
  /** Undefined where the account has this card, or one of this description. */
  insert: (card: Omit<CardRow, "seq" | "priority" | "updated">): CardRow | undefined =>
    insertReturning(database, "cards", { ...card, updated: card.created }),
  read: (accountId: string, seq: number): CardRow | undefined =>
    database.get("SELECT * FROM cards WHERE accountId = ? AND seq = ?", accountId, seq),
  /** By priority, then by registration; cards without priority last. */
  list: (accountId: string, { offset, limit } = { offset: 0, limit: -1 }): CardRow[] =>
    database.all(
      `SELECT * FROM cards WHERE accountId = ?
       ORDER BY priority = 0, priority, seq LIMIT ? OFFSET ?`,
      accountId,
      limit,
      offset,
    ),
  remove: (seq: number): void => void database.run("DELETE FROM cards WHERE seq = ?", seq),
  setPriority: (seq: number, priority: number, at: number): void => {
    const sql = "UPDATE cards SET priority = ?1, updated = ?2 WHERE seq = ?3 AND priority <> ?1";
    database.run(sql, priority, at, seq);
  },
});
