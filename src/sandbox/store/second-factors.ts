/** Second-factor transactions, and the contacts that their codes go to. */
import type { AuthType } from "../../contract/needs.ts";
import type { Database } from "./driver.ts";
import { createTable, insertReturning, insertRow } from "./rows.ts";

export interface SecondFactorRow {
  readonly seq: number;
  readonly accountId: string;
  readonly memberId: string;
  /** Method and path that it was started for. */
  readonly operation: string;
  /** Digest of the body that it was started for. */
  readonly digest: string;
  readonly authType: AuthType;
  /** Phone number or e-mail address, in full. */
  readonly destination: string;
  /** PENDING also after it expired: expiry follows from `created`. */
  readonly status: "PENDING" | "USED" | "LOCKED" | "SUPERSEDED";
  readonly attemptsLeft: number;
  readonly created: number;
  /** The time when too many wrong codes locked it. */
  readonly locked: number | null;
}

interface Contact {
  readonly phoneNumber: string;
  readonly email: string;
}

export const createSecondFactors = (database: Database) => {
  const transactions = createTable<SecondFactorRow>(database, "second_factors", "seq");
  return {
    ...transactions,
    /** Stores a PENDING transaction and closes one that was open for the same operation. */
    start: (transaction: Omit<SecondFactorRow, "seq" | "status" | "locked">): SecondFactorRow => {
      const { memberId, operation } = transaction;
      database.run(
        `UPDATE second_factors SET status = 'SUPERSEDED'
       WHERE memberId = ? AND operation = ? AND status = 'PENDING'`,
        [memberId, operation],
      );
      return insertReturning(database, "second_factors", { ...transaction, status: "PENDING" });
    },
    latest: (memberId: string, operation: string): SecondFactorRow | undefined => {
      const rest = "WHERE memberId = ? AND operation = ? ORDER BY seq DESC LIMIT 1";
      return transactions.select(rest, [memberId, operation])[0];
    },
    contact: (memberId: string): Contact | undefined =>
      database.get("SELECT phoneNumber, email FROM contacts WHERE memberId = ?", [memberId]),
    addContact: (memberId: string, contact: Contact): void =>
      insertRow(database, "contacts", { memberId, ...contact }),
  };
};
