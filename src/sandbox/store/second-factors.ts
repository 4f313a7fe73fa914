/** Second-factor transactions as they are stored: without their codes. */
import type { Database } from "./driver.ts";
import { insertReturning, insertRow } from "./rows.ts";

export const authTypes = ["ARS", "OTP"] as const;
/** `ARS`: a voice call; `OTP`: an e-mail. */
export type AuthType = (typeof authTypes)[number];

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
  /** PENDING also past its time: what has expired follows from `created`. */
  readonly status: "PENDING" | "USED" | "LOCKED" | "SUPERSEDED";
  readonly attemptsLeft: number;
  readonly created: number;
  /** When too many wrong codes locked it. */
  readonly locked: number | null;
}

interface Contact {
  readonly phoneNumber: string;
  readonly email: string;
}

export const createSecondFactors = (database: Database) => ({
  /** Stores a PENDING transaction; one that was open for the same is over. */
  start: (transaction: Omit<SecondFactorRow, "seq" | "status" | "locked">): SecondFactorRow => {
    database.run(
      `UPDATE second_factors SET status = 'SUPERSEDED'
       WHERE memberId = ? AND operation = ? AND status = 'PENDING'`,
      transaction.memberId,
      transaction.operation,
    );
    const row = { ...transaction, status: "PENDING" };
    const started = insertReturning<SecondFactorRow>(database, "second_factors", row);
    if (started === undefined) throw new Error("A transaction was not stored.");
    return started;
  },
  read: (seq: number): SecondFactorRow | undefined =>
    database.get("SELECT * FROM second_factors WHERE seq = ?", seq),
  /** The latest that a member started for an operation. */
  latest: (memberId: string, operation: string): SecondFactorRow | undefined =>
    database.get(
      "SELECT * FROM second_factors WHERE memberId = ? AND operation = ? ORDER BY seq DESC LIMIT 1",
      memberId,
      operation,
    ),
  change: (seq: number, status: SecondFactorRow["status"], attemptsLeft: number): void => {
    const sql = "UPDATE second_factors SET status = ?, attemptsLeft = ? WHERE seq = ?";
    database.run(sql, status, attemptsLeft, seq);
  },
  lock: (seq: number, at: number): void =>
    void database.run("UPDATE second_factors SET locked = ? WHERE seq = ?", at, seq),
  /** The newest, so many at most. */
  newest: (max: number): SecondFactorRow[] =>
    database.all("SELECT * FROM second_factors ORDER BY seq DESC LIMIT ?", max),
  contact: (memberId: string): Contact | undefined =>
    database.get("SELECT phoneNumber, email FROM contacts WHERE memberId = ?", memberId),
  addContact: (memberId: string, contact: Contact): void =>
    insertRow(database, "contacts", { memberId, ...contact }),
});
