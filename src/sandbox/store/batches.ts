/**
 * Batches: the messages that one call put into a group, numbered in a row. What they share is stored
 * once per batch, and the indexes for lists of an account or a group have one entry for all.
 */
import type { Database } from "./driver.ts";

/** What the messages of one call share. */
export interface Batch {
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

/** Consecutive messages of a group. */
export interface Slice {
  readonly ranges: readonly Range[];
  /** The cost of a statement for each range, in messages. */
  readonly cost: number;
  /** The number of its last message. */
  readonly reached: number;
  /** The group has no message after it. */
  readonly isLast: boolean;
}

/** The cost of one range's statements, in messages: a group that was filled by single messages has many ranges. */
const rangeCost = 20;

/** The messages of a group after the number `reached`, about `size` of them and never none. */
export const sliceIn =
  (database: Database) =>
  (groupSeq: number, reached: number, size: number): Slice => {
    const maxRanges = Math.ceil(size / rangeCost);
    const ahead = database.all<Range>(aheadSql, [groupSeq, reached, maxRanges + 1]);
    const ranges: Range[] = [];
    let left = size;
    for (const { firstSeq, lastSeq } of ahead.slice(0, maxRanges)) {
      if (left <= 0) break;
      ranges.push({ firstSeq, lastSeq: Math.min(lastSeq, firstSeq + left - 1) });
      left -= lastSeq - firstSeq + 1;
    }
    const end = ranges.at(-1)?.lastSeq ?? reached;
    const isLast = end >= (ahead.at(-1)?.lastSeq ?? end);
    const cost = size - Math.max(0, left) + ranges.length * rangeCost;
    return { ranges, cost, reached: end, isLast };
  };

/** Begins at the batch that holds ?2, whose first messages may be done. */
const aheadSql = `SELECT max(firstSeq, ?2 + 1) AS firstSeq, lastSeq
  FROM batches INDEXED BY batches_of_group
  WHERE groupSeq = ?1 AND lastSeq > ?2 AND firstSeq >= coalesce(
    (SELECT max(firstSeq) FROM batches INDEXED BY batches_of_group
     WHERE groupSeq = ?1 AND firstSeq <= ?2), 0)
  ORDER BY batches.firstSeq LIMIT ?3`;

/** The messages of the batches `b`. */
export const messagesOf = "CROSS JOIN messages m ON m.seq BETWEEN b.firstSeq AND b.lastSeq";

/** The batches `b` of the messages `m`. */
const batchesOf = `CROSS JOIN batches b
  ON b.firstSeq = (SELECT max(firstSeq) FROM batches WHERE firstSeq <= m.seq)`;

/** The messages `m`, reached as `access` says, with their batches `b`. */
export const messagesBy = (access = ""): string => `messages m ${access} ${batchesOf}`;

/** `MessageRow`s out of a join of messages `m` and batches `b`. */
export const messageRows = (source = messagesBy()): string =>
  `SELECT m.*, b.groupSeq, b.accountId, g.created AS groupCreated
   FROM ${source} CROSS JOIN groups g ON g.seq = b.groupSeq`;

/** The group of the message with this number. */
export const groupOf = (seq: string): string =>
  `(SELECT groupSeq FROM batches WHERE firstSeq <= ${seq} ORDER BY firstSeq DESC LIMIT 1)`;
