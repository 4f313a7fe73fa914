/** The bank account of each account, and the withdrawals to it. */
import type { Database } from "./driver.ts";
import { limitClause } from "./sql-fragments.ts";

export interface BankAccountRow {
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

export interface WithdrawalQuery {
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

export interface Withdrawals {
  /** Registers a bank account in place of the one before. */
  setBankAccount(account: BankAccountRow): void;
  bankAccount(accountId: string): BankAccountRow | undefined;
  /** Returns how many there were. */
  removeBankAccount(accountId: string): number;
  insert(withdrawal: Omit<WithdrawalRow, "seq">): WithdrawalRow;
  update(withdrawal: WithdrawalRow): void;
  read(seq: number): WithdrawalRow | undefined;
  /** Newest first. */
  list(query: WithdrawalQuery): WithdrawalRow[];
}

const columns = [
  "accountId",
  "bankCode",
  "accountNumber",
  "holderName",
  "status",
  "memo",
  "transactionId",
  "transacted",
  "totalAmount",
  "fee",
  "confirmed",
  "created",
  "updated",
] as const satisfies readonly (keyof WithdrawalRow)[];

const insertSql = `INSERT INTO withdrawals (${columns.join(", ")})
  VALUES (${columns.map(() => "?").join(", ")}) RETURNING *`;
const updateSql = `UPDATE withdrawals SET ${columns.map((name) => `${name} = ?`).join(", ")}
  WHERE seq = ?`;

export const createWithdrawals = (database: Database): Withdrawals => ({
  setBankAccount: ({ accountId, bankCode, accountNumber, holderName, created, updated }) =>
    void database.run(
      `INSERT OR REPLACE INTO bank_accounts
       (accountId, bankCode, accountNumber, holderName, created, updated) VALUES (?, ?, ?, ?, ?, ?)`,
      accountId,
      bankCode,
      accountNumber,
      holderName,
      created,
      updated,
    ),
  bankAccount: (accountId) =>
    database.get("SELECT * FROM bank_accounts WHERE accountId = ?", accountId),
  removeBankAccount: (accountId) =>
    database.run("DELETE FROM bank_accounts WHERE accountId = ?", accountId),
  insert: (withdrawal) => {
    const row = database.get<WithdrawalRow>(insertSql, ...columns.map((name) => withdrawal[name]));
    if (row === undefined) throw new Error("A withdrawal was not stored.");
    return row;
  },
  update: (withdrawal) =>
    void database.run(updateSql, ...columns.map((name) => withdrawal[name]), withdrawal.seq),
  read: (seq) => database.get("SELECT * FROM withdrawals WHERE seq = ?", seq),
  list: (query) => list(database, query),
});

const list = (
  database: Database,
  { accountId, seq, status, since, until, from, limit }: WithdrawalQuery,
): WithdrawalRow[] =>
  database.all(
    `SELECT * FROM withdrawals WHERE accountId = ?1
       AND (?2 IS NULL OR seq = ?2) AND (?3 IS NULL OR status = ?3)
       AND created BETWEEN ?4 AND ?5 AND (created, seq) <= (?6, ?7)
     ORDER BY created DESC, seq DESC ${limitClause}`,
    accountId,
    seq ?? null,
    status ?? null,
    since ?? Number.MIN_SAFE_INTEGER,
    until ?? Number.MAX_SAFE_INTEGER,
    from?.created ?? Number.MAX_SAFE_INTEGER,
    from?.seq ?? Number.MAX_SAFE_INTEGER,
    limit,
  );
