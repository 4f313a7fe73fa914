/** Cards, the bank account of each account, and the withdrawals to it. */
import { withdrawalFee } from "../../contract/payment.ts";
import type { Database } from "./driver.ts";
import {
  type Cursor,
  createTable,
  insertReturning,
  insertRow,
  insertUnlessExists,
  type PageQuery,
  pageByTime,
  type Times,
} from "./rows.ts";

interface BankAccountRow extends Times {
  readonly accountId: string;
  readonly bankCode: string;
  /** Digits, leading zeros kept. */
  readonly accountNumber: string;
  readonly holderName: string;
}

/** A withdrawal to a bank account as it was at the time of the request. */
export interface WithdrawalRow extends BankAccountRow {
  readonly seq: number;
  readonly status: "PENDING" | "APPROVED" | "REJECTED";
  readonly memo: string | null;
  /** The id of the bank transfer, not of a second factor. */
  readonly transactionId: string | null;
  readonly transacted: number | null;
  readonly totalAmount: number;
  readonly fee: number;
  readonly confirmed: number;
}

/** A withdrawal that the staff have not decided on, to a bank account. */
export const pendingWithdrawal = (
  bank: Omit<BankAccountRow, keyof Times>,
  totalAmount: number,
  at: number,
): Omit<WithdrawalRow, "seq"> => ({
  ...bank,
  status: "PENDING",
  memo: null,
  transactionId: null,
  transacted: null,
  totalAmount,
  fee: withdrawalFee(totalAmount),
  confirmed: Math.floor(at / 1000) * 1000,
  created: at,
  updated: at,
});

export const createBankAccounts = (database: Database) => ({
  ...createTable<BankAccountRow>(database, "bank_accounts", "accountId"),
  /** Registers a bank account and replaces the one before. */
  set: (account: BankAccountRow): void => {
    database.run("DELETE FROM bank_accounts WHERE accountId = ?", [account.accountId]);
    insertRow(database, "bank_accounts", account);
  },
});

export const createWithdrawals = (database: Database) => {
  const withdrawals = createTable<WithdrawalRow>(database, "withdrawals", "seq");
  return {
    ...withdrawals,
    insert: (withdrawal: Omit<WithdrawalRow, "seq">): WithdrawalRow =>
      insertReturning(database, "withdrawals", withdrawal),
    /** Newest first. */
    list: (query: PageQuery<"seq" | "status" | "created", Cursor>): WithdrawalRow[] =>
      pageByTime(database, "withdrawals", query),
    inReview: (limit: number): WithdrawalRow[] =>
      withdrawals.select("WHERE status = 'PENDING' ORDER BY seq DESC LIMIT ?", [limit]),
  };
};

export interface CardRow extends Times {
  readonly seq: number;
  readonly accountId: string;
  readonly brand: string;
  readonly lastDigits: string;
  /** `YYYY/MM`. */
  readonly expires: string;
  readonly description: string;
  /** 0: not for automatic recharge; the lowest of the others is charged first. */
  readonly priority: number;
}

export const createCards = (database: Database) => ({
  /** Undefined if the account has this card, or one with this description. */
  insert: (card: Omit<CardRow, "seq" | "priority" | "updated">): CardRow | undefined =>
    insertUnlessExists(database, "cards", { ...card, updated: card.created }),
  read: (accountId: string, seq: number): CardRow | undefined =>
    database.get("SELECT * FROM cards WHERE accountId = ? AND seq = ?", [accountId, seq]),
  /** By priority, then by registration; cards without priority last. */
  list: (accountId: string, { offset, limit } = { offset: 0, limit: -1 }): CardRow[] =>
    database.all(
      `SELECT * FROM cards WHERE accountId = ?
       ORDER BY priority = 0, priority, seq LIMIT ? OFFSET ?`,
      [accountId, limit, offset],
    ),
  remove: (seq: number): void => void database.run("DELETE FROM cards WHERE seq = ?", [seq]),
  setPriority: (seq: number, priority: number, at: number): void => {
    const sql = "UPDATE cards SET priority = ?1, updated = ?2 WHERE seq = ?3 AND priority <> ?1";
    database.run(sql, [priority, at, seq]);
  },
});
