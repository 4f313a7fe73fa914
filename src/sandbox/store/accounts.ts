/** Accounts: their wallets, the ledger that explains them, and what they sent today. */
import type { HistoryType } from "../../contract/cash.ts";
import type { Database } from "./driver.ts";
import { insertRow, updateRow } from "./rows.ts";

export interface AccountRow {
  readonly accountId: string;
  readonly status: string;
  /** `PERSONAL` or `BUSINESS`; null where the account is not authenticated. */
  readonly authenticated: string | null;
  /** Won. */
  readonly balance: number;
  readonly point: number;
  /** Messages a day of UTC+9. */
  readonly quota: number;
  /** 1: charged before sending; 0: billed later. */
  readonly prepaid: number;
  readonly minimumCash: number;
  readonly rechargeTo: number;
  readonly rechargeTryCount: number;
  readonly autoRecharge: number;
  /** JSON of the low-balance alert. */
  readonly alert: string;
  readonly alertCreated: number;
  readonly alertUpdated: number;
}

/** What a new account says of itself: its wallet is filled by movements. */
export type NewAccount = Omit<AccountRow, "balance" | "point" | "alertCreated" | "alertUpdated">;

/** How an account is recharged by itself. */
export type Recharge = Pick<
  AccountRow,
  "minimumCash" | "rechargeTo" | "rechargeTryCount" | "autoRecharge"
>;

/** One movement of the wallet: amounts are negative where money leaves. */
export interface Movement {
  readonly type: HistoryType;
  readonly balance: number;
  readonly point: number;
  readonly at: number;
  readonly serviceMethod?: "MT" | undefined;
  readonly rechargeMethod?: string | undefined;
  readonly groupSeq?: number | undefined;
  readonly memo?: string | undefined;
}

export type Wallet = Pick<AccountRow, "balance" | "point">;

export const createAccounts = (database: Database) => {
  const read = (accountId: string): AccountRow | undefined =>
    database.get("SELECT * FROM accounts WHERE accountId = ?", accountId);
  return {
    insert: (account: NewAccount): void => insertRow(database, "accounts", account),
    read,
    /**
     * Changes the wallet and writes the record that explains it: the only way in which either changes.
     * Returns the account as it is now.
     */
    move: (accountId: string, movement: Movement): AccountRow => {
      const before = read(accountId);
      if (before === undefined) throw new Error(`There is no account ${accountId}.`);
      return move(database, before, movement);
    },
    setRecharge: (
      accountId: string,
      { minimumCash, rechargeTo, rechargeTryCount, autoRecharge }: Recharge,
    ): void => {
      const values = { minimumCash, rechargeTo, rechargeTryCount, autoRecharge };
      updateRow(database, "accounts", "accountId", { accountId, ...values });
    },
    /** JSON of the low-balance alert. `at` where a person changed it. */
    setAlert: (accountId: string, alert: string, at?: number): void => {
      const changed = at === undefined ? { alert } : { alert, alertUpdated: at };
      updateRow(database, "accounts", "accountId", { accountId, ...changed });
    },
    /** Messages sent on a day (`seoulDay`). */
    sentOn: (accountId: string, day: string): number => {
      const sql = "SELECT sent FROM days WHERE accountId = ? AND day = ?";
      return database.get<{ sent: number }>(sql, accountId, day)?.sent ?? 0;
    },
    addSent: (accountId: string, day: string, sent: number): void => {
      const sum = "ON CONFLICT (accountId, day) DO UPDATE SET sent = sent + excluded.sent";
      insertRow(database, "days", { accountId, day, sent }, sum);
    },
  };
};

const move = (database: Database, account: AccountRow, movement: Movement): AccountRow => {
  const { accountId } = account;
  const { type, balance, point, at } = movement;
  const wallet = { balance: account.balance + balance, point: account.point + point };
  updateRow(database, "accounts", "accountId", { accountId, ...wallet });
  insertRow(database, "ledger", {
    accountId,
    type,
    balanceAmount: balance,
    newBalance: wallet.balance,
    pointAmount: point,
    newPoint: wallet.point,
    serviceMethod: movement.serviceMethod ?? null,
    rechargeMethod: movement.rechargeMethod ?? null,
    groupSeq: movement.groupSeq ?? null,
    created: at,
    memo: movement.memo ?? null,
  });
  return { ...account, ...wallet };
};
