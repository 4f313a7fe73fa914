/** Accounts: their wallets, and the ledger that explains them. */
import type { getAlert, getBalance, HistoryType, listHistory } from "../../contract/cash.ts";
import type { Reply } from "../../contract/endpoint.ts";
import type { Database, Value } from "./driver.ts";
import { createTable, insertRow, type PageQuery, whereOf } from "./rows.ts";

export interface AccountRow extends Readonly<Omit<Reply<typeof getBalance>, "lowBalanceAlert">> {
  readonly status: string;
  /** `PERSONAL` or `BUSINESS`; null if the account is not authenticated. */
  readonly authenticated: string | null;
  /** Messages per day of UTC+9. */
  readonly quota: number;
  /** 1: charged before sending; 0: billed later. */
  readonly prepaid: number;
  readonly alert: Reply<typeof getAlert>["lowBalanceAlert"];
  readonly alertCreated: number;
  readonly alertUpdated: number;
}

/** The members of a new account: movements fill its wallet. */
export type NewAccount = Omit<AccountRow, "balance" | "point" | "alertCreated" | "alertUpdated">;

/** The members of an account that are set, not moved. */
type AccountSettings = Pick<
  AccountRow,
  "minimumCash" | "rechargeTo" | "rechargeTryCount" | "autoRecharge" | "alert" | "alertUpdated"
>;

/** The low-balance alert as it is stored and answered. */
export type Alert = AccountRow["alert"];

/** One movement of the wallet: amounts are negative if money leaves. */
export interface Movement {
  readonly type: HistoryType;
  readonly balance: number;
  /** 0 when left out. */
  readonly point?: number;
  readonly at: number;
  readonly serviceMethod?: "MT" | null;
  readonly rechargeMethod?: string | null;
  readonly groupSeq?: number;
  readonly memo?: string | null;
}

export type Wallet = Pick<AccountRow, "balance" | "point">;

export const createAccounts = (database: Database) => {
  const json = ["alert"] as const;
  const accounts = createTable<AccountRow, "alert">(database, "accounts", "accountId", json);
  const get = (accountId: string): AccountRow => {
    const account = accounts.read(accountId);
    if (account === undefined) throw new Error(`There is no account ${accountId}.`);
    return account;
  };
  return {
    read: accounts.read,
    /** An account that certainly exists: that of a caller, of a member, of a group. */
    get,
    insert: (account: NewAccount): void =>
      insertRow(database, "accounts", { ...account, alert: JSON.stringify(account.alert) }),
    update: (accountId: string, changed: Partial<AccountSettings>): void =>
      accounts.update({ accountId, ...changed }),
    /**
     * Changes the wallet and writes the record that explains it: the only way to change either.
     * Returns the account as it is now.
     */
    move: (accountId: string, movement: Movement): AccountRow => {
      const before = get(accountId);
      const { at: created, balance: balanceAmount, point: pointAmount = 0, ...said } = movement;
      const balance = before.balance + balanceAmount;
      const point = before.point + pointAmount;
      accounts.update({ accountId, balance, point });
      const after = { newBalance: balance, newPoint: point, created };
      insertRow(database, "ledger", { accountId, ...said, balanceAmount, pointAmount, ...after });
      return { ...before, balance, point };
    },
  };
};

type Amount = "balanceAmount" | "newBalance" | "pointAmount" | "newPoint";
type Origin = "accountId" | "serviceMethod" | "rechargeMethod" | "memo";

export interface LedgerRow
  extends Readonly<Pick<Reply<typeof listHistory>[number], Amount | Origin>> {
  readonly seq: number;
  readonly type: HistoryType;
  readonly groupSeq: number | null;
  readonly created: number;
  /** When its group was created: the group's id follows from that. */
  readonly groupCreated: number | null;
}

/** What a movement did: raised or lowered balance or points. */
const directions = [
  ["balanceRecharge", "l.balanceAmount > 0"],
  ["balanceDeduct", "l.balanceAmount < 0"],
  ["pointRecharge", "l.pointAmount > 0"],
  ["pointDeduct", "l.pointAmount < 0"],
] as const;

type LedgerColumn = Exclude<keyof LedgerRow, "accountId" | "groupCreated">;

interface LedgerQuery extends Omit<PageQuery<LedgerColumn>, "from"> {
  /** Any of those that are true; none means no condition. */
  readonly anyOf: { readonly [K in (typeof directions)[number][0]]?: boolean | undefined };
  readonly offset: number;
}

const select =
  "SELECT l.*, g.created AS groupCreated FROM ledger l LEFT JOIN groups g ON g.seq = l.groupSeq";

export const createLedger = (database: Database) => ({
  /** Newest first. */
  list: ({ accountId, filters, anyOf, offset, limit }: LedgerQuery): LedgerRow[] => {
    const values: Value[] = [accountId];
    const where = whereOf(filters, values, (column) => `l.${column}`);
    const moved = directions.flatMap(([name, term]) => (anyOf[name] ? term : [])).join(" OR ");
    return database.all(
      `${select} WHERE l.accountId = ? AND ${where} AND (${moved || "TRUE"})
       ORDER BY l.created DESC, l.seq DESC LIMIT ? OFFSET ?`,
      [...values, limit, offset],
    );
  },
  read: (accountId: string, seq: number): LedgerRow | undefined =>
    database.get(`${select} WHERE l.accountId = ? AND l.seq = ?`, [accountId, seq]),
  /** The movement that was written last. Throws if an account has none. */
  newest: (accountId: string): LedgerRow => {
    const sql = `${select} WHERE l.accountId = ? ORDER BY l.seq DESC LIMIT 1`;
    const row = database.get<LedgerRow>(sql, [accountId]);
    if (row === undefined) throw new Error(`The account ${accountId} has no ledger.`);
    return row;
  },
});
