/** Cards, the bank account of each account, and the withdrawals to it. */
import type { Database } from "./driver.ts";
import { insertReturning, insertRow, updateRow } from "./rows.ts";

interface BankAccountRow {
  readonly accountId: string;
  readonly bankCode: string;
  /** Digits, leading zeros kept. */
  readonly accountNumber: string;
  readonly holderName: string;
  readonly created: number;
  readonly updated: number;
}

export interface WithdrawalRow {
  readonly seq: number;
  readonly accountId: string;
  readonly bankCode: string;
  readonly accountNumber: string;
  readonly holderName: string;
  readonly status: "PENDING" | "APPROVED" | "REJECTED";
  readonly memo: string | null;
  /** Of the bank transfer, not of a second factor. */
  readonly transactionId: string | null;
  readonly transacted: number | null;
  readonly totalAmount: number;
  readonly fee: number;
  readonly confirmed: number;
  readonly created: number;
  readonly updated: number;
}

interface WithdrawalQuery {
  readonly accountId: string;
  readonly seq?: number | undefined;
  readonly status?: string | undefined;
  /** Milliseconds, inclusive. */
  readonly since?: number | undefined;
  readonly until?: number | undefined;
  /** The row that the page begins with. */
  readonly from?: WithdrawalRow | undefined;
  readonly limit: number;
}

export const createWithdrawals = (database: Database) => ({
  /** Registers a bank account in place of the one before. */
  setBankAccount: (account: BankAccountRow): void => {
    database.run("DELETE FROM bank_accounts WHERE accountId = ?", account.accountId);
    insertRow(database, "bank_accounts", account);
  },
  bankAccount: (accountId: string): BankAccountRow | undefined =>
    database.get("SELECT * FROM bank_accounts WHERE accountId = ?", accountId),
  /** Returns how many there were. */
  removeBankAccount: (accountId: string): number =>
    database.run("DELETE FROM bank_accounts WHERE accountId = ?", accountId),
  insert: (withdrawal: Omit<WithdrawalRow, "seq">): WithdrawalRow => {
    const row = insertReturning<WithdrawalRow>(database, "withdrawals", withdrawal);
    if (row === undefined) throw new Error("A withdrawal was not stored.");
    return row;
  },
  update: (withdrawal: WithdrawalRow): void =>
    updateRow(database, "withdrawals", "seq", withdrawal),
  read: (seq: number): WithdrawalRow | undefined =>
    database.get("SELECT * FROM withdrawals WHERE seq = ?", seq),
  /** Newest first. */
  list: (query: WithdrawalQuery): WithdrawalRow[] => {
    const { accountId, seq, status, since, until, from, limit } = query;
    return database.all(
      `SELECT * FROM withdrawals WHERE accountId = ?1
         AND (?2 IS NULL OR seq = ?2) AND (?3 IS NULL OR status = ?3)
         AND created BETWEEN ?4 AND ?5 AND (created, seq) <= (?6, ?7)
       ORDER BY created DESC, seq DESC LIMIT ?8`,
      accountId,
      seq ?? null,
      status ?? null,
      since ?? Number.MIN_SAFE_INTEGER,
      until ?? Number.MAX_SAFE_INTEGER,
      from?.created ?? Number.MAX_SAFE_INTEGER,
      from?.seq ?? Number.MAX_SAFE_INTEGER,
      limit,
    );
  },
});

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
