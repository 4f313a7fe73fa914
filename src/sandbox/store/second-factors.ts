/** Second-factor transactions as they are stored: without their codes. */
import type { Database } from "./driver.ts";
import { limitClause } from "./sql-fragments.ts";

export const authTypes = ["ARS", "OTP"] as const;
/** `ARS`: a voice call; `OTP`: an e-mail. */
export type AuthType = (typeof authTypes)[number];

export interface SecondFactorRow {
  readonly seq: number;
  readonly accountId: string;
  readonly memberId: string;
  /** Method and path that it was started for. */
  readonly operation: string;
  readonly authType: AuthType;
  /** Phone number or e-mail address, in full. */
  readonly destination: string;
  /** PENDING also past its time: what has expired follows from `created`. */
  readonly status: "PENDING" | "USED" | "LOCKED" | "SUPERSEDED";
  readonly attemptsLeft: number;
  readonly created: number;
}

export interface Contact {
  readonly phoneNumber: string;
  readonly email: string;
}

export interface SecondFactors {
  /** Stores a PENDING transaction and returns its number; one that was open for the same is over. */
  start(transaction: Omit<SecondFactorRow, "seq" | "status">): number;
  read(seq: number): SecondFactorRow | undefined;
  /** The latest that a member started for an operation. */
  latest(memberId: string, operation: string): SecondFactorRow | undefined;
  change(seq: number, status: SecondFactorRow["status"], attemptsLeft: number): void;
  /** The newest, so many at most. */
  newest(max: number): SecondFactorRow[];
  contact(memberId: string): Contact | undefined;
  addContact(memberId: string, contact: Contact): void;
}

export const createSecondFactors = (database: Database): SecondFactors => ({
  start: (transaction) => start(database, transaction),
  read: (seq) => database.get("SELECT * FROM second_factors WHERE seq = ?", seq),
  latest: (memberId, operation) =>
    database.get(
      "SELECT * FROM second_factors WHERE memberId = ? AND operation = ? ORDER BY seq DESC LIMIT 1",
      memberId,
      operation,
    ),
  change: (seq, status, attemptsLeft) =>
    void database.run(
      "UPDATE second_factors SET status = ?, attemptsLeft = ? WHERE seq = ?",
      status,
      attemptsLeft,
      seq,
    ),
  newest: (max) =>
    database.all(`SELECT * FROM second_factors ORDER BY seq DESC ${limitClause}`, max),
  contact: (memberId) =>
    database.get("SELECT phoneNumber, email FROM contacts WHERE memberId = ?", memberId),
  addContact: (memberId, { phoneNumber, email }) =>
    void database.run(
      "INSERT INTO contacts (memberId, phoneNumber, email) VALUES (?, ?, ?)",
      memberId,
      phoneNumber,
      email,
    ),
});

const start = (
  database: Database,
  transaction: Omit<SecondFactorRow, "seq" | "status">,
): number => {
  const { accountId, memberId, operation, authType, destination, attemptsLeft, created } =
    transaction;
  database.run(
    `UPDATE second_factors SET status = 'SUPERSEDED'
     WHERE memberId = ? AND operation = ? AND status = 'PENDING'`,
    memberId,
    operation,
  );
  const row = database.get<{ seq: number }>(
    `INSERT INTO second_factors (accountId, memberId, operation, authType, destination, status,
       attemptsLeft, created) VALUES (?, ?, ?, ?, ?, 'PENDING', ?, ?) RETURNING seq`,
    accountId,
    memberId,
    operation,
    authType,
    destination,
    attemptsLeft,
    created,
  );
  return row?.seq ?? 0;
};
