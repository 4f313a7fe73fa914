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
export interface Range {
  readonly firstSeq: number;
  readonly lastSeq: number;
}

/** Notes a batch of so many messages. */
export const insertBatch = (
  database: Database,
  { firstSeq, groupSeq, accountId, created }: Batch,
  count: number,
): void =>
  void database.run(
    "INSERT INTO batches (firstSeq, lastSeq, groupSeq, accountId, created) VALUES (?, ?, ?, ?, ?)",
    firstSeq,
    firstSeq + count - 1,
    groupSeq,
    accountId,
    created,
  );

/** The numbers of a group's messages; batches that follow one another are one range. */
export const rangesOf = (database: Database, groupSeq: number): readonly Range[] => {
  const batches = database.all<Range>(
    "SELECT firstSeq, lastSeq FROM batches WHERE groupSeq = ?",
    groupSeq,
  );
  const ranges: Range[] = [];
  for (const { firstSeq, lastSeq } of batches.sort((one, next) => one.firstSeq - next.firstSeq)) {
    const last = ranges.at(-1);
    if (last?.lastSeq === firstSeq - 1) ranges.pop();
    ranges.push({ firstSeq: last?.lastSeq === firstSeq - 1 ? last.firstSeq : firstSeq, lastSeq });
  }
  return ranges;
};

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

/** The group of the message with this number. */
export const groupOf = (seq: string): string =>
  `(SELECT groupSeq FROM batches WHERE firstSeq <= ${seq} ORDER BY firstSeq DESC LIMIT 1)`;
