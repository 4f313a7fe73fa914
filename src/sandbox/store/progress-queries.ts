/** How far the messages of groups are, for the page that shows their progress. */
import { messagesOf } from "./batches.ts";
import type { Database } from "./driver.ts";
import type { GroupRow } from "./groups.ts";

/** Messages of a group with the same code; `lately` counts those that were reported lately. */
interface CodeCount {
  readonly code: string;
  readonly count: number;
  readonly lately: number;
}

/** A message that failed. */
export interface FailedMessage {
  readonly recipient: string;
  readonly code: string;
  readonly updated: number;
}

export const createProgressQueries = (database: Database) => ({
  /** The groups of a run that has marked them, newest first. */
  groupsOfRun: (run: string, max: number): GroupRow[] =>
    database.all(
      `SELECT * FROM groups WHERE json_extract(customFields, '$."msg.run"') = ?
       ORDER BY seq DESC LIMIT ?`,
      run,
      max,
    ),
  /** How far the messages of a group are; `since` is where lately begins. */
  codesOf: (groupSeq: number, since: number): CodeCount[] =>
    database.all(
      `SELECT m.statusCode AS code, count(*) AS count, total(m.reported >= ?) AS lately
       FROM batches b ${messagesOf} WHERE b.groupSeq = ? GROUP BY 1 ORDER BY 2 DESC`,
      since,
      groupSeq,
    ),
  /** The newest failures of a group first. */
  lastFailures: (groupSeq: number, max: number): FailedMessage[] =>
    database.all(
      `SELECT m.recipient, m.statusCode AS code, m.updated FROM batches b ${messagesOf}
       WHERE b.groupSeq = ? AND m.statusCode NOT IN ('2000', '3000', '4000')
       ORDER BY m.updated DESC, m.seq DESC LIMIT ?`,
      groupSeq,
      max,
    ),
});
