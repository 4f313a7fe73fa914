/** Which rows went out with a group that someone else has changed: its messages show it, its counts do not. */
import { detached } from "../../client/client.ts";
import type { Group } from "../../contract/message-records.ts";
import { listMessages } from "../../contract/messages.ts";
import type { Counts } from "../protocol/entries.ts";
import { isRefused } from "../protocol/outcomes.ts";
import { mergeRows, overlap, type Rows } from "../protocol/rows.ts";
import type { FindOptions } from "../reconcile/send-evidence.ts";
import { messagesIn, recipientOf } from "../store/row-outcomes.ts";
import type { RunFile } from "../store/run-file.ts";

interface HeldRows {
  readonly rows: readonly Rows[];
  readonly counts: Counts;
}

/**
 * The rows that the group names and holds a message for; undefined if the list is incomplete. A message with
 * another text to the same recipient counts, too: it was sent in place of the row.
 */
export const readHeldRows = async (
  { groupId, count }: Group,
  named: readonly Rows[],
  { client, run, body }: Omit<FindOptions, "onReply" | "onError">,
): Promise<HeldRows | undefined> => {
  const planned = indexRows(run, named, body);
  const others: { readonly to: string; readonly refused: boolean }[] = [];
  const found: Rows[] = [];
  const counts = { accepted: 0, refused: 0 };
  let listed = 0;
  const take = (key: string, refused: boolean): boolean => {
    const row = planned.get(key)?.find((it) => !it.isTaken);
    if (!row) return false;
    row.isTaken = true;
    found.push({ from: row.place, to: row.place + 1 });
    counts[refused ? "refused" : "accepted"] += 1;
    return true;
  };
  for await (const { rows } of client.pages(listMessages, { query: { groupId } }, detached))
    for (const message of rows.filter((it) => !it.replacement)) {
      const { to, text } = message;
      listed += 1;
      const refused = isRefused(message);
      if (!take(keyOf(to, text), refused)) others.push({ to, refused });
    }
  if (listed !== count.registeredSuccess + count.registeredFailed) return undefined;
  for (const { to, refused } of others) take(to, refused);
  return { rows: mergeRows(found), counts };
};

interface PlannedRow {
  readonly place: number;
  isTaken: boolean;
}

/** The rows by recipient and text, and by recipient alone. */
const indexRows = (
  { chunks }: RunFile,
  named: readonly Rows[],
  body: FindOptions["body"],
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
