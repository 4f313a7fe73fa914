/** Who may call: accounts, members, API keys, and the numbers that they send from. */
import type { AccountRow } from "./accounts.ts";
import type { Database } from "./driver.ts";
import { cachedLookup } from "./snapshot-cache.ts";

/** An API key with what the checks look at. */
export interface KeyHolder {
  readonly apiKey: string;
  readonly secret: string;
  readonly keyStatus: string;
  readonly accountId: string;
  readonly accountStatus: string;
  readonly authenticated: boolean;
  readonly memberId: string;
  readonly memberStatus: string;
  readonly role: "OWNER" | "DEVELOPER" | "MEMBER";
}

/** An account as people look it up. */
export type ShownAccount = Pick<
  AccountRow,
  "accountId" | "status" | "authenticated" | "balance" | "point" | "quota"
>;

/** A key as people look it up. */
export interface ShownKey {
  readonly accountId: string;
  readonly key: string;
  readonly secret: string;
  readonly role: string;
  readonly status: string;
  readonly memberStatus: string;
}

export interface Sender {
  readonly accountId: string;
  readonly phoneNumber: string;
}

/** A member with its account, as a token represents it. */
export interface Member {
  readonly memberId: string;
  readonly status: string;
  readonly role: "OWNER" | "DEVELOPER" | "MEMBER";
  readonly accountId: string;
  readonly accountStatus: string;
  readonly authenticated: boolean;
}

export interface Callers {
  byKey(apiKey: string): KeyHolder | undefined;
  member(memberId: string): Member | undefined;
  members(): Member[];
  accounts(): ShownAccount[];
  keys(): ShownKey[];
  senders(): Sender[];
  /** Registers a number to send from; a second time it does nothing. */
  addSender(sender: Sender): void;
}

export const createCallers = (database: Database): Callers => ({
  byKey: cachedLookup(database, (apiKey) => byKey(database, apiKey)),
  member: (memberId) => {
    const row = database.get<MemberRow>(`${membersSql} WHERE m.memberId = ?`, memberId);
    return row && memberOf(row);
  },
  members: () => database.all<MemberRow>(`${membersSql} ORDER BY m.memberId`).map(memberOf),
  accounts: () =>
    database.all(
      "SELECT accountId, status, authenticated, balance, point, quota FROM accounts ORDER BY accountId",
    ),
  keys: () =>
    database.all(
      `SELECT k.accountId, k.apiKey AS "key", k.secret, m.role, k.status, m.status AS memberStatus
       FROM api_keys k JOIN members m USING (memberId) ORDER BY k.apiKey`,
    ),
  senders: () =>
    database.all("SELECT accountId, phoneNumber FROM senders ORDER BY accountId, phoneNumber"),
  addSender: ({ accountId, phoneNumber }) => {
    database.invalidateSnapshot();
    database.run(
      "INSERT OR IGNORE INTO senders (accountId, phoneNumber) VALUES (?, ?)",
      accountId,
      phoneNumber,
    );
  },
});

const byKey = (database: Database, apiKey: string): KeyHolder | undefined => {
  const row = database.get<Omit<KeyHolder, "authenticated"> & { authenticated: number }>(
    `SELECT k.apiKey, k.secret, k.status AS keyStatus, a.accountId, a.status AS accountStatus,
       a.authenticated IS NOT NULL AS authenticated, m.memberId, m.status AS memberStatus, m.role
     FROM api_keys k JOIN accounts a USING (accountId) JOIN members m USING (memberId)
     WHERE k.apiKey = ?`,
    apiKey,
  );
  return row && { ...row, authenticated: row.authenticated === 1 };
};

type MemberRow = Omit<Member, "authenticated"> & { readonly authenticated: number };

const membersSql = `SELECT m.memberId, m.status, m.role, a.accountId, a.status AS accountStatus,
  a.authenticated IS NOT NULL AS authenticated FROM members m JOIN accounts a USING (accountId)`;

const memberOf = (row: MemberRow): Member => ({ ...row, authenticated: row.authenticated === 1 });
