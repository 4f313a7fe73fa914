/**
 * Batches: the messages that one call put into a group, numbered in a row. What they share stands once
 * a batch, and the indexes that lists of an account or a group are read from have one entry for all.
 */
import type { Database, Value } from "./driver.ts";

/** What the messages of one call share. */
export interface Batch {
  readonly firstSeq: number;
  readonly groupSeq: number;
  readonly accountId: string;
  readonly created: number;
  /** They are sent in place of others that failed. */
  readonly replacement?: boolean | undefined;
}

/** Message numbers, both included. */
interface Range {
  readonly firstSeq: number;
  readonly lastSeq: number;
}

/** The numbers of a group's messages. */
export const rangesOf = (database: Database, groupSeq: number): Range[] =>
  database.all("SELECT firstSeq, lastSeq FROM batches WHERE groupSeq = ?", groupSeq);

/** Runs a statement for the messages of a group; its last two values are the ends of a range of numbers. */
export const runInGroup = (
  database: Database,
  groupSeq: number,
  sql: string,
  ...values: Value[]
): void => {
  for (const { firstSeq, lastSeq } of rangesOf(database, groupSeq))
    database.run(sql, ...values, firstSeq, lastSeq);
};

/** The messages of the batches `b`. */
export const messagesOf = "CROSS JOIN messages m ON m.seq BETWEEN b.firstSeq AND b.lastSeq";

/** The batches `b` of the messages `m`. */
export const batchesOf = `CROSS JOIN batches b
  ON b.firstSeq = (SELECT max(firstSeq) FROM batches WHERE firstSeq <= m.seq)`;

/** The messages `m` with their batches and groups, reached as `access` says: `MessageRow`s. */
export const messageRows = (access = ""): string =>
  `SELECT m.*, b.groupSeq, b.accountId, g.created AS groupCreated
   FROM messages m ${access} ${batchesOf} CROSS JOIN groups g ON g.seq = b.groupSeq`;

/** The group of the message with this number. */
export const groupOf = (seq: string): string =>
  `(SELECT groupSeq FROM batches WHERE firstSeq <= ${seq} ORDER BY firstSeq DESC LIMIT 1)`;
