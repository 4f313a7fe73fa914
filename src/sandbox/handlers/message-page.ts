/** A page of messages as its lists answer it, an object by id (facts/messages 4.2, 5.3). */
import { JsonText } from "../service.ts";
import type { MessageRow } from "../store/messages.ts";
import { messageIdOf, messageText } from "./message-record.ts";

/** Out of one row more than the page holds: its id is where the next one begins. */
export const messagePage = (
  rows: readonly MessageRow[],
  { startKey, limit }: { readonly startKey: string | null; readonly limit: number },
  idSeed: number,
): JsonText => {
  const ids = rows.map((row) => messageIdOf(row, idSeed));
  const keys = JSON.stringify({ startKey, nextKey: ids[limit] ?? null, limit });
  const records = rows
    .slice(0, limit)
    .map((row, at) => `"${ids[at]}":${messageText(row, ids[at] ?? "", idSeed)}`);
  return new JsonText(`${keys.slice(0, -1)},"messageList":{${records.join(",")}}}`);
};
