/** A page of messages as its lists answer it, an object by id. */
import { SerializedJson } from "../service.ts";
import type { MessageRow } from "../store/messages.ts";
import { pageOf } from "./list-page.ts";
import { messageIdOf, messageText } from "./message-record.ts";

export const messagePage = (
  found: readonly MessageRow[],
  { startKey, limit }: { readonly startKey: string | null; readonly limit: number },
  idSeed: number,
): SerializedJson => {
  const idOf = (row: MessageRow): string => messageIdOf(row, idSeed);
  const { rows, keys } = pageOf(found, limit, idOf);
  const head = JSON.stringify({ startKey, nextKey: keys.nextKey, limit }).slice(0, -1);
  const records = rows.map((row) => {
    const id = idOf(row);
    return `"${id}":${messageText(row, id, idSeed)}`;
  });
  return new SerializedJson(`${head},"messageList":{${records.join(",")}}}`);
};
