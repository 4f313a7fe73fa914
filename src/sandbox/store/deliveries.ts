/** How messages of a group proceed, slice by slice: handed over, reported, refused; and which need replacement. */
import { type Slice, sliceIn } from "./batches.ts";
import type { Database } from "./driver.ts";
import type { GroupRow } from "./groups.ts";
import type { MessageRow } from "./messages.ts";

/** A step of a delivery. Its times are in milliseconds since 1970. */
interface DeliveryStep {
  readonly work: keyof typeof steps;
  /** When the messages take it. */
  readonly at: number;
  /** Skips messages whose last step was at this time or later: a step takes a tick. */
  readonly before: number;
  /** The number of the job that makes it. */
  readonly dueSeq: number;
}

export interface Delivered {
  /** Messages that took the step. */
  readonly count: number;
  /** Those of them that failed, and what they cost in all. */
  readonly failed: number;
  readonly lost: number;
}

/** A failed message, with the members from which its replacement is made. */
export type ReplaceableRow = Pick<
  MessageRow,
  "seq" | "recipient" | "sender" | "text" | "type" | "country" | "options"
>;

/** As SQL: which messages are `waiting` for the step (`?` is `before`), which of them `failed`, and what it sets. */
const steps = {
  /**
   * To the carrier; messages whose outcome is 2xxx end here. Replacements are added while the rest of the group
   * is under way: those of this instant wait for a step of their own.
   */
  handOver: {
    waiting: "statusCode = '2000' AND outcome <> '2000' AND (replacement = 0 OR created < ?)",
    failed: "outcome LIKE '2%'",
    set: "statusCode = CASE WHEN outcome LIKE '2%' THEN outcome ELSE '3000' END, processed = ?",
  },
  /** The final outcome of messages at the carrier. */
  report: {
    waiting: "statusCode = '3000' AND outcome <> '3000' AND processed < ?",
    failed: "outcome <> '4000'",
    set: "statusCode = outcome, reported = ?",
  },
} as const;

/** Messages with replacements, and Kakao messages unless they rule it out. */
const mayBeReplaced = `(json_array_length(options, '$.replacements') > 0
  OR (type IN ('ATA', 'CTA', 'CTI') AND options->'$.kakaoOptions.disableSms' IS NOT 'true'))`;

export const createDeliveries = (database: Database) => ({
  slice: sliceIn(database),
  make: makeStepIn(database),
  /** Refuses the messages of a slice that are accepted and not yet handed over. */
  refuse: ({ ranges }: Slice, statusCode: string, at: number): void => {
    for (const { firstSeq, lastSeq } of ranges)
      database.run(refuseSql, [statusCode, at, firstSeq, lastSeq]);
  },
  /** Failed messages that due work has not replaced yet, in order. */
  unreplaced: (dueSeq: number, limit: number): ReplaceableRow[] =>
    database.all(unreplacedSql, [dueSeq, limit]),
  /** Marks them as replaced, up to this number. */
  setReplaced: (dueSeq: number, lastSeq: number): void =>
    void database.run("DELETE FROM unreplaced WHERE dueSeq = ? AND seq <= ?", [dueSeq, lastSeq]),
});

/** Makes a step of a slice; notes failed messages of replaceable groups as unreplaced. */
const makeStepIn =
  (database: Database) =>
  ({ work, at, before, dueSeq }: DeliveryStep, { replaceable }: GroupRow, { ranges }: Slice) => {
    const { waiting, failed, set } = steps[work];
    const sum = { count: 0, failed: 0, lost: 0 };
    for (const { firstSeq, lastSeq } of ranges) {
      const where = `${waiting} AND seq BETWEEN ? AND ?`;
      const values = [before, firstSeq, lastSeq] as const;
      const found = database.get<Delivered>(
        `SELECT count(*) AS count, coalesce(sum(${failed}), 0) AS failed,
         coalesce(sum(CASE WHEN ${failed} THEN price END), 0) AS lost FROM messages WHERE ${where}`,
        values,
      );
      if (found === undefined || found.count === 0) continue;
      if (replaceable === 1 && found.failed > 0)
        database.run(
          `INSERT INTO unreplaced SELECT ?, seq FROM messages
         WHERE ${where} AND ${failed} AND ${mayBeReplaced}`,
          [dueSeq, ...values],
        );
      database.run(`UPDATE messages SET ${set}, updated = ? WHERE ${where}`, [at, at, ...values]);
      sum.count += found.count;
      sum.failed += found.failed;
      sum.lost += found.lost;
    }
    return sum;
  };

const refuseSql = `UPDATE messages SET statusCode = ?, updated = ?
  WHERE statusCode = '2000' AND seq BETWEEN ? AND ?`;

const unreplacedSql = `SELECT m.* FROM unreplaced u CROSS JOIN messages m ON m.seq = u.seq
  WHERE u.dueSeq = ? ORDER BY u.seq LIMIT ?`;
