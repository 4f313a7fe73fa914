/** Who may call: members, API keys, and the signatures used. */
import type { Reply } from "../../contract/endpoint.ts";
import type { Role } from "../../contract/needs.ts";
import type { listAccounts } from "../../contract/sandbox.ts";
import type { Database } from "./driver.ts";
import { insertRow, insertUnlessExists } from "./rows.ts";

export interface MemberRow {
  readonly memberId: string;
  readonly accountId: string;
  readonly role: Role;
  readonly status: string;
}

export interface KeyRow extends Pick<MemberRow, "memberId" | "accountId"> {
  readonly apiKey: string;
  readonly secret: string;
  readonly status: "ACTIVE" | "DISABLED";
}

/** A member with its account, as the checks see them. `authenticated` is 1 if the account is. */
export interface Member extends Omit<MemberRow, "status"> {
  readonly accountStatus: string;
  readonly authenticated: number;
  readonly memberStatus: string;
}

type KeyHolder = Member & Pick<KeyRow, "apiKey" | "secret"> & { readonly keyStatus: string };

/** Accounts and keys as people look them up. */
type Shown = Reply<typeof listAccounts>;

/** How long a signature is remembered, and the skew from which on a request is refused. */
export const signatureMs = 900_000;

export const createCallers = (database: Database) => ({
  addMember: (member: MemberRow): void => insertRow(database, "members", member),
  addKey: (key: KeyRow): void => insertRow(database, "api_keys", key),
  byKey: (apiKey: string): KeyHolder | undefined =>
    database.get(
      `SELECT k.apiKey, k.secret, k.status AS keyStatus, ${memberColumns}
       FROM api_keys k JOIN accounts a USING (accountId) JOIN members m USING (memberId)
       WHERE k.apiKey = ?`,
      [apiKey],
    ),
  member: (memberId: string): Member | undefined =>
    database.get(`${membersSql} WHERE m.memberId = ?`, [memberId]),
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
  useSignature: (apiKey: string, signature: string, arrived: number): boolean => {
    database.run("DELETE FROM signatures WHERE arrived <= ?", [arrived - signatureMs]);
    return insertUnlessExists(database, "signatures", { apiKey, signature, arrived }) !== undefined;
  },
});

const memberColumns = `a.accountId, a.status AS accountStatus,
  a.authenticated IS NOT NULL AS authenticated, m.memberId, m.status AS memberStatus, m.role`;

const membersSql = `SELECT ${memberColumns} FROM members m JOIN accounts a USING (accountId)`;
