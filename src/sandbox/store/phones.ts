/** What the phones received, whichever account sent it. */
import type { Database } from "./driver.ts";
import type { MessageRow } from "./messages.ts";

export interface ReceivedQuery {
  /** Only this phone. */
  readonly to?: string | undefined;
  /** The row that the page begins with. */
  readonly from?: number | undefined;
  readonly limit: number;
}

export interface Phones {
  /** Delivered messages, newest first. */
  received(query: ReceivedQuery): MessageRow[];
  /** One delivered message. */
  one(seq: number): MessageRow | undefined;
}

export const createPhones = (database: Database): Phones => ({
  received: ({ to, from = Number.MAX_SAFE_INTEGER, limit }) => {
    const select = `SELECT m.*, g.created AS groupCreated FROM messages m
       CROSS JOIN groups g ON g.seq = m.groupSeq WHERE m.statusCode = '4000' AND m.seq <= ?`;
    const order = "ORDER BY m.seq DESC LIMIT ?";
    return to === undefined
      ? database.all(`${select} ${order}`, from, limit)
      : database.all(`${select} AND m.recipient = ? ${order}`, from, to, limit);
  },
  one: (seq) =>
    database.get(
      `SELECT m.*, g.created AS groupCreated FROM messages m
       CROSS JOIN groups g ON g.seq = m.groupSeq WHERE m.statusCode = '4000' AND m.seq = ?`,
      seq,
    ),
});
