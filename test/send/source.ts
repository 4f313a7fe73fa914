/** Sources for tests: bytes in pieces, and what reading them gives or says. */

import { MsgError } from "../../src/errors.ts";
import { type ReadOptions, type Row, type Rows, readRows } from "../../src/send/sources/rows.ts";

export async function* bytesOf(
  content: string | Uint8Array,
  pieceBytes = Number.POSITIVE_INFINITY,
): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(content);
  if (pieceBytes >= bytes.length) {
    yield bytes;
    return;
  }
  for (let at = 0; at < bytes.length; at += pieceBytes) yield bytes.subarray(at, at + pieceBytes);
}

export const rowsOf = (
  content: string | Uint8Array,
  options: Partial<ReadOptions> = {},
  pieceBytes?: number,
): Rows => readRows(bytesOf(content, pieceBytes), { name: "list", ...options });

export const allOf = async (rows: AsyncIterable<Row>): Promise<Row[]> => {
  const all: Row[] = [];
  for await (const row of rows) all.push(row);
  return all;
};

/** The MsgError that `act` ends with. */
export const errorOf = async (act: () => Promise<unknown>): Promise<MsgError> => {
  try {
    await act();
  } catch (error) {
    if (error instanceof MsgError) return error;
    throw error;
  }
  throw new Error("no error was thrown");
};
