/** Cards: what a person recognises them by, and in which order they are charged. */
import type { Database } from "./driver.ts";
import { limitClause } from "./sql-fragments.ts";

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

export interface Cards {
  insert(card: Omit<CardRow, "seq" | "priority" | "updated">): CardRow | undefined;
  read(accountId: string, seq: number): CardRow | undefined;
  /** By priority, then by registration; cards without priority last. */
  list(accountId: string, page?: { readonly offset: number; readonly limit: number }): CardRow[];
  remove(seq: number): void;
  setPriority(seq: number, priority: number, at: number): void;
}

export const createCards = (database: Database): Cards => ({
  insert: ({ accountId, brand, lastDigits, expires, description, created }) =>
    database.get<CardRow>(
      `INSERT INTO cards (accountId, brand, lastDigits, expires, description, created, updated)
       VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING RETURNING *`,
      accountId,
      brand,
      lastDigits,
      expires,
      description,
      created,
      created,
    ),
  read: (accountId, seq) =>
    database.get("SELECT * FROM cards WHERE accountId = ? AND seq = ?", accountId, seq),
  list: (accountId, { offset, limit } = { offset: 0, limit: -1 }) =>
    database.all(
      `SELECT * FROM cards WHERE accountId = ?
       ORDER BY priority = 0, priority, seq ${limitClause} OFFSET ?`,
      accountId,
      limit,
      offset,
    ),
  remove: (seq) => void database.run("DELETE FROM cards WHERE seq = ?", seq),
  setPriority: (seq, priority, at) =>
    void database.run(
      "UPDATE cards SET priority = ?, updated = ? WHERE seq = ? AND priority <> ?",
      priority,
      at,
      seq,
      priority,
    ),
});
