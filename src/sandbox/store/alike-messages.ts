/** Stores the messages of one body that differ in number, text and own fields alone, out of its bytes. */
import { type Batch, groupOf, insertBatch } from "./batches.ts";
import type { Database } from "./driver.ts";
import type { NewMessage } from "./messages.ts";
import { elementsOf } from "./phrases.ts";

/** Where the parts of the messages stand in a body: a column each, in bytes. */
export interface Places {
  readonly body: Uint8Array;
  readonly rows: {
    readonly count: number;
    /** The numbers, of eleven digits each. */
    readonly to: Int32Array;
    readonly textEnd: Int32Array;
    readonly fieldsEnd: Int32Array;
    /** From the end of a number to its text. */
    readonly textGap: number;
    /** From the end of a text to the JSON of its own fields. */
    readonly fieldsGap: number;
  };
}

const digits = 11;

export interface AlikeMessages {
  /** True where anybody has put in a message to one of these numbers, of eleven digits, or one between them. */
  isAnyBetween(least: string, most: string): boolean;
  /** True where the group has accepted a message to one of these numbers already. */
  accepted(groupSeq: number, places: Places, country: string): boolean;
  /** Inserts in one statement, numbered from `firstSeq` on; `first` says what they all share. */
  insert(batch: Batch, places: Places, first: NewMessage): void;
}

export const createAlikeMessages = (database: Database): AlikeMessages => ({
  isAnyBetween: (least, most) =>
    database.get(
      `SELECT 1 AS found FROM messages INDEXED BY messages_by_recipient
       WHERE recipient BETWEEN ? AND ? LIMIT 1`,
      least,
      most,
    ) !== undefined,
  accepted: (groupSeq, { body, rows: { count, to } }, country) =>
    database.get(
      `SELECT 1 AS found FROM json_each(?1) AS r
       CROSS JOIN messages m INDEXED BY messages_by_recipient
         ON m.recipient = CAST(substr(?2, r.value, ${digits}) AS TEXT)
       WHERE ${groupOf("m.seq")} = ?3 AND m.statusCode = '2000' AND m.country = ?4 LIMIT 1`,
      JSON.stringify(Array.from({ length: count }, (_, row) => (to[row] ?? 0) + 1)),
      body,
      groupSeq,
      country,
    ) !== undefined,
  insert: (batch, places, first) => insert(database, batch, places, first),
});

/**
 * A place is one number: where the recipient stands, and how long text and fields are. SQLite cuts
 * them out of the body; reading them out of JSON would cost as much as storing them.
 */
const placeBits = { fields: 2 ** 16, text: 2 ** 12 };

const placesOf = ({
  count,
  to,
  textEnd,
  fieldsEnd,
  textGap,
  fieldsGap,
}: Places["rows"]): string => {
  const places = new Array<number>(count);
  for (let row = 0; row < count; row += 1) {
    const number = to[row] ?? 0;
    const end = textEnd[row] ?? 0;
    const text = end - number - digits - textGap;
    const fields = (fieldsEnd[row] ?? 0) - end - fieldsGap;
    places[row] = ((number + 1) * placeBits.text + text) * placeBits.fields + fields;
  }
  return JSON.stringify(places);
};

const insert = (
  database: Database,
  batch: Batch,
  { body, rows }: Places,
  [, sender, , type, country, statusCode, outcome, price]: NewMessage,
): void => {
  insertBatch(database, batch, rows.count);
  database.run(
    insertSql,
    ...[batch.firstSeq, batch.created, placesOf(rows), body],
    ...[digits + rows.textGap, rows.fieldsGap],
    ...[sender, type, country, statusCode, outcome, price],
  );
};

const [at, textBytes, fieldsBytes] = ["(value >> 28)", "((value >> 16) & 4095)", "(value & 65535)"];

const insertSql = `INSERT INTO messages (seq, created, updated, recipient, text, options, sender, type,
    country, statusCode, outcome, price)
  SELECT ?1 + key, ?2, ?2, CAST(substr(?4, ${at}, ${digits}) AS TEXT),
    CAST(substr(?4, ${at} + ?5, ${textBytes}) AS TEXT),
    CASE ${fieldsBytes} WHEN 0 THEN NULL ELSE '{"customFields":' ||
      CAST(substr(?4, ${at} + ?5 + ${textBytes} + ?6, ${fieldsBytes}) AS TEXT) || '}' END,
    ?7, ?8, ?9, ?10, ?11, ?12
  FROM ${elementsOf("?3")}`;
