/** Who may call: members, their API keys, and the signatures that those have used. */
import type { Reply } from "../../contract/endpoint.ts";
import type { listAccounts } from "../../contract/sandbox.ts";
import type { Database } from "./driver.ts";
import { insertRow } from "./rows.ts";

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

/** What `members` and `keys` have in common: 1 where the account is authenticated. */
interface Verified {
  readonly accountId: string;
  readonly accountStatus: string;
  readonly authenticated: number;
  readonly memberId: string;
  readonly role: MemberRow["role"];
}

/** An API key with what the checks look at. */
type KeyHolder = Verified & {
  readonly apiKey: string;
  readonly secret: string;
  readonly keyStatus: string;
  readonly memberStatus: string;
};

/** A member with its account, as a token represents it. */
type Member = Verified & { readonly status: string };

/** Accounts and keys as people look them up. */
type Shown = Reply<typeof listAccounts>;

/** How long a signature is remembered. */
const memoryMs = 900_000;

export const createCallers = (database: Database) => ({
  addMember: (member: MemberRow): void => insertRow(database, "members", member),
  addKey: (key: KeyRow): void => insertRow(database, "api_keys", key),
  byKey: (apiKey: string): KeyHolder | undefined =>
    database.get(
      `SELECT k.apiKey, k.secret, k.status AS keyStatus, m.status AS memberStatus, ${verified}
       FROM api_keys k JOIN accounts a USING (accountId) JOIN members m USING (memberId)
       WHERE k.apiKey = ?`,
      apiKey,
    ),
  member: (memberId: string): Member | undefined =>
    database.get(`${membersSql} WHERE m.memberId = ?`, memberId),
  members: (): Member[] => database.all(`${membersSql} ORDER BY m.memberId`),
  accounts: (): Shown["accounts"] =>
    database.all(
      "SELECT accountId, status, authenticated, balance, point, quota FROM accounts ORDER BY accountId",
    ),
  keys: (): Shown["keys"] =>
    database.all(
      `SELECT k.accountId, k.apiKey AS "key", k.secret, m.role, k.status, m.status AS memberStatus
       FROM api_keys k JOIN members m USING (memberId) ORDER BY k.apiKey`,
    ),
  /** Remembers a signature; false when the key used it within the last 900 seconds. */
  useSignature: (apiKey: string, signature: string, arrivedMs: number): boolean => {
    database.run("DELETE FROM signatures WHERE arrived <= ?", arrivedMs - memoryMs);
    const changed = database.run(
      `INSERT INTO signatures (apiKey, signature, arrived) VALUES (?1, ?2, ?3)
       ON CONFLICT DO UPDATE SET arrived = ?3 WHERE arrived <= ?3 - ${memoryMs}`,
      apiKey,
      signature,
      arrivedMs,
    );
    return changed === 1;
  },
});

const verified = `a.accountId, a.status AS accountStatus,
  a.authenticated IS NOT NULL AS authenticated, m.memberId, m.role`;

const membersSql = `SELECT m.status, ${verified} FROM members m JOIN accounts a USING (accountId)`;
