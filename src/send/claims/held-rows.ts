/** Which rows went out with a group that someone else has changed: its messages show it, its counts do not. */
import { detached } from "../../client/client.ts";
import type { Group, StoredMessage } from "../../contract/message-records.ts";
import { listMessages } from "../../contract/messages.ts";
import { isRefused } from "../protocol/outcomes.ts";
import { mergeRows, overlap, type RowRange } from "../protocol/row-ranges.ts";
import type { RunAccess } from "../reconcile/send-evidence.ts";
import { messagesIn, recipientOf } from "../store/row-outcomes.ts";
import type { RunFile } from "../store/run-file.ts";

/**
 * The rows that the group names and holds a message for; undefined if the list is incomplete. A message with
 * another text to the same recipient counts, too: it was sent in place of the row. A row that was accepted counts
 * as that, although a copy of it was refused.
 */
export const readHeldRows = async (
  { groupId, count }: Group,
  named: readonly RowRange[],
  { client, run, body }: Omit<RunAccess, "onError">,
) => {
  const planned = indexRows(run, named, body);
  const messages: StoredMessage[] = [];
  for await (const { rows } of client.pages(listMessages, { query: { groupId } }, detached))
    messages.push(...rows.filter((it) => !it.replacement));
  if (messages.length !== count.registeredSuccess + count.registeredFailed) return undefined;
  const found: RowRange[] = [];
  const take = (key: string): boolean => {
    const row = planned.get(key)?.find((it) => !it.isTaken);
    if (!row) return false;
    row.isTaken = true;
    found.push({ from: row.place, to: row.place + 1 });
    return true;
  };
  const takeAll = (taken: readonly StoredMessage[]): number => {
    const others = taken.filter(({ to, text }) => !take(keyOf(to, text)));
    return taken.length - others.filter(({ to }) => !take(to)).length;
  };
  const accepted = takeAll(messages.filter((it) => !isRefused(it)));
  const refused = takeAll(messages.filter(isRefused));
  return { rows: mergeRows(found), counts: { accepted, refused } };
};

interface PlannedRow {
  readonly place: number;
  isTaken: boolean;
}

/** The rows by recipient and text, and by recipient alone. */
const indexRows = (
  { chunks }: RunFile,
  named: readonly RowRange[],
  body: RunAccess["body"],
): ReadonlyMap<string, readonly PlannedRow[]> => {
  const byKey = new Map<string, PlannedRow[]>();
  let after = 0;
  for (const [chunk, { rows }] of chunks.entries()) {
    const first = after;
    after += rows;
    if (!overlap(named, [{ from: first, to: after }])) continue;
    for (const [at, message] of messagesIn(body(chunk)).entries()) {
      const row = { place: first + at, isTaken: false };
      if (!overlap(named, [{ from: row.place, to: row.place + 1 }])) continue;
      const to = recipientOf(message) ?? "";
      const text = "text" in message ? String(message.text) : undefined;
      for (const key of [keyOf(to, text), to]) byKey.set(key, [...(byKey.get(key) ?? []), row]);
    }
  }
  return byKey;
};

const keyOf = (to: string, text: string | undefined): string => `${to} ${text ?? ""}`;
