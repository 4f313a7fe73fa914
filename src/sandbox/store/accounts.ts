/** Accounts: their wallets, the ledger that explains them, and what they sent today. */
import type { Database } from "./driver.ts";
import { createSnapshotCache } from "./snapshot-cache.ts";

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

export interface MemberRow {
  readonly memberId: string;
  readonly accountId: string;
  readonly role: "OWNER" | "DEVELOPER" | "MEMBER";
  readonly status: string;
}

export interface KeyRow {
  readonly apiKey: string;
  readonly secret: string;
  readonly memberId: string;
  readonly accountId: string;
  readonly status: "ACTIVE" | "DISABLED";
}

/** One movement of the wallet: amounts are negative where money leaves. */
export interface Movement {
  readonly type: "RECHARGE" | "DEDUCT" | "MANUAL";
  readonly balance: number;
  readonly point: number;
  readonly at: number;
  readonly serviceMethod?: "MT" | undefined;
  readonly rechargeMethod?: string | undefined;
  readonly groupSeq?: number | undefined;
  readonly memo?: string | undefined;
}

export interface Wallet {
  readonly balance: number;
  readonly point: number;
}

export interface Accounts {
  insert(account: NewAccount): void;
  read(accountId: string): AccountRow | undefined;
  /**
   * Changes the wallet and writes the record that explains it: the only way in which either changes.
   * Returns the account as it is now.
   */
  move(accountId: string, movement: Movement): AccountRow;
  setRecharge(accountId: string, recharge: Recharge): void;
  /** JSON of the low-balance alert. `at` where a person changed it. */
  setAlert(accountId: string, alert: string, at?: number): void;
  addMember(member: MemberRow): void;
  addKey(key: KeyRow): void;
  /** Messages sent on a day (`seoulDay`). */
  sentOn(accountId: string, day: string): number;
  addSent(accountId: string, day: string, count: number): void;
}

export const createAccounts = (database: Database): Accounts => {
  const known = createSnapshotCache(database, (accountId) => read(database, accountId));
  return {
    insert: (account) => {
      database.invalidateSnapshot();
      insertAccount(database, account);
    },
    read: known.get,
    move: (accountId, movement) => {
      const account = known.get(accountId);
      if (account === undefined) throw new Error(`There is no account ${accountId}.`);
      const moved = move(database, account, movement);
      known.set(accountId, moved);
      return moved;
    },
    setRecharge: (accountId, values) => {
      database.invalidateSnapshot();
      setRecharge(database, accountId, values);
    },
    setAlert: (accountId, alert, at) => {
      database.invalidateSnapshot();
      database.run(setAlertSql, alert, at ?? null, accountId);
    },
    ...createPeople(database),
    sentOn: (accountId, day) => {
      const sql = "SELECT sent FROM days WHERE accountId = ? AND day = ?";
      return database.get<{ sent: number }>(sql, accountId, day)?.sent ?? 0;
    },
    addSent: (accountId, day, count) =>
      void database.run(
        `INSERT INTO days (accountId, day, sent) VALUES (?, ?, ?)
       ON CONFLICT (accountId, day) DO UPDATE SET sent = sent + excluded.sent`,
        accountId,
        day,
        count,
      ),
  };
};

const createPeople = (database: Database): Pick<Accounts, "addMember" | "addKey"> => ({
  addMember: ({ memberId, accountId, role, status }) =>
    void database.run(
      "INSERT INTO members (memberId, accountId, role, status) VALUES (?, ?, ?, ?)",
      memberId,
      accountId,
      role,
      status,
    ),
  addKey: ({ apiKey, secret, memberId, accountId, status }) => {
    // Who calls is remembered; an account and a member cannot call without a key.
    database.invalidateSnapshot();
    database.run(
      "INSERT INTO api_keys (apiKey, secret, memberId, accountId, status) VALUES (?, ?, ?, ?, ?)",
      apiKey,
      secret,
      memberId,
      accountId,
      status,
    );
  },
});

const setAlertSql =
  "UPDATE accounts SET alert = ?, alertUpdated = coalesce(?, alertUpdated) WHERE accountId = ?";

const setRecharge = (database: Database, accountId: string, values: Recharge): void => {
  const { minimumCash, rechargeTo, rechargeTryCount, autoRecharge } = values;
  database.run(
    `UPDATE accounts SET minimumCash = ?, rechargeTo = ?, rechargeTryCount = ?, autoRecharge = ?
     WHERE accountId = ?`,
    minimumCash,
    rechargeTo,
    rechargeTryCount,
    autoRecharge,
    accountId,
  );
};

const insertAccount = (database: Database, account: NewAccount): void => {
  database.run(
    `INSERT INTO accounts (accountId, status, authenticated, quota, prepaid, minimumCash,
       rechargeTo, rechargeTryCount, autoRecharge, alert) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    account.accountId,
    account.status,
    account.authenticated,
    account.quota,
    account.prepaid,
    account.minimumCash,
    account.rechargeTo,
    account.rechargeTryCount,
    account.autoRecharge,
    account.alert,
  );
};

const read = (database: Database, accountId: string): AccountRow | undefined =>
  database.get<AccountRow>("SELECT * FROM accounts WHERE accountId = ?", accountId);

const move = (database: Database, account: AccountRow, movement: Movement): AccountRow => {
  const { accountId } = account;
  const { type, balance, point, at, serviceMethod, rechargeMethod, groupSeq, memo } = movement;
  const sql = "UPDATE accounts SET balance = balance + ?, point = point + ? WHERE accountId = ?";
  database.run(sql, balance, point, accountId);
  const now = { ...account, balance: account.balance + balance, point: account.point + point };
  database.run(
    `INSERT INTO ledger (accountId, type, balanceAmount, newBalance, pointAmount, newPoint,
       serviceMethod, rechargeMethod, groupSeq, created, memo)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    accountId,
    type,
    balance,
    now.balance,
    point,
    now.point,
    serviceMethod ?? null,
    rechargeMethod ?? null,
    groupSeq ?? null,
    at,
    memo ?? null,
  );
  return now;
};
