/** What the phones received, whichever account sent it, and the service's own notices. */
import { messageRows } from "./batches.ts";
import type { Database } from "./driver.ts";
import type { MessageRow } from "./messages.ts";

interface ReceivedQuery {
  /** Only this phone. */
  readonly to?: string | undefined;
  /** The row that the page begins with. */
  readonly from?: number | undefined;
  readonly limit: number;
}

/** A notice of the service to the owner of an account. */
interface Notice {
  /** Its place among all messages. */
  readonly seq: number;
  readonly accountId: string;
  readonly type: "SMS" | "ATA";
  readonly text: string;
  readonly at: number;
}

export const createPhones = (database: Database) => ({
  /** Delivered messages, newest first. */
  received: ({ to, from = Number.MAX_SAFE_INTEGER, limit }: ReceivedQuery): MessageRow[] => {
    const [phone, values] = to === undefined ? ["", []] : ["AND m.recipient = ?", [to]];
    const page = (select: string): MessageRow[] =>
      database.all(
        `${select} AND m.seq <= ? ${phone} ORDER BY m.seq DESC LIMIT ?`,
        from,
        ...values,
        limit,
      );
    const rows = [...page(messages), ...page(noticeRows)];
    return rows.sort((one, other) => other.seq - one.seq).slice(0, limit);
  },
  /** One delivered message. */
  one: (seq: number): MessageRow | undefined =>
    database.get(`${messages} AND m.seq = ?`, seq) ??
    database.get(`${noticeRows} AND m.seq = ?`, seq),
  /** Reaches the phone of the account's first active owner, if there is one. */
  notify: ({ seq, accountId, type, text, at }: Notice): void =>
    void database.run(
      `INSERT INTO notices (seq, accountId, recipient, type, text, created)
       SELECT ?, accountId, phoneNumber, ?, ?, ? FROM members NATURAL JOIN contacts
       WHERE accountId = ? AND role = 'OWNER' AND status = 'ACTIVE' ORDER BY memberId LIMIT 1`,
      seq,
      type,
      text,
      at,
      accountId,
    ),
});

const messages = `${messageRows()} WHERE m.statusCode = '4000'`;

/** The number that the service itself writes from. */
const serviceNumber = "0200000099";

/** They belong to group 0: no account has it. */
export const noticeRows = `SELECT seq, 0 AS groupSeq, accountId, recipient, '${serviceNumber}' AS sender, text, type,
  '82' AS country, '4000' AS statusCode, '4000' AS outcome, 0 AS price, 0 AS replacement,
  0 AS resendCount, created, created AS updated, created AS processed, created AS reported,
  NULL AS options, created AS groupCreated FROM notices m WHERE true`;
