/** Finds what a call sent that was not answered, by the correlation id of its run. */

import type { CallOptions, Client } from "../../client/client.ts";
import { maxRows, type PageOf } from "../../contract/endpoint.ts";
import { readGroup } from "../../contract/groups.ts";
import type { StoredMessage } from "../../contract/message-records.ts";
import { listMessages } from "../../contract/messages.ts";
import type { MsgError } from "../../errors.ts";
import { isRecord } from "../../json/read-json.ts";
import { refusedMessage } from "../../message/status.ts";
import { rowOf } from "../messages/correlation.ts";
import type { Action, Outcome } from "../protocol/actions.ts";
import { foundCallOutcome } from "../protocol/outcomes.ts";
import { messagesIn, recipientOf } from "../store/row-outcomes.ts";
import type { RunFile } from "../store/run-file.ts";

/** A run, and how it is asked about. */
export interface RunAccess {
  readonly client: Client;
  readonly run: RunFile;
  /** The bytes of a chunk's body, always the same. */
  readonly body: (chunk: number) => Uint8Array;
  /** Why a request did not do what was asked, for the one that ends the run. */
  readonly onError: (error: MsgError) => void;
}

export interface FindOptions extends RunAccess {
  readonly onReply: (reply: unknown) => void;
}

/** Messages from this long before the signature count, too: clocks differ. */
const earlierMs = 20 * 60 * 1000;

/**
 * Finds what a call sent by the correlation id of its first row: among the newest messages to its recipient, then
 * among all since the signature. Only the second search relies on clocks that agree.
 */
export const findSend = async (
  { chunk, signature }: Pick<Extract<Action, { type: "findEvidence" }>, "chunk" | "signature">,
  options: FindOptions,
  call: CallOptions,
): Promise<Outcome> => {
  const { client, run } = options;
  const to = firstRecipient(options.body(chunk));
  const query = to === undefined ? {} : { to };
  const startDate = new Date(Date.parse(signature.date) - earlierMs).toISOString();
  const searches = [
    client.pages(listMessages, { query }, { ...call, rows: maxRows }),
    client.pages(listMessages, { query: { ...query, startDate } }, call),
  ];
  const progress: Search = { isBlind: false };
  for (const pages of searches)
    for await (const row of tagged(pages, run.run, run.chunks[chunk]?.first, progress)) {
      const { groupId } = row;
      const group = await client.call(readGroup, { params: { groupId } }, call);
      // A deleted group will never be sent.
      if (group.status === "DELETED") continue;
      const found = foundCallOutcome(group, run.chunks[chunk]?.rows ?? 0);
      // The refused messages of a call for many are counted.
      if (found && (run.call !== "send" || found.counts.accepted > 0)) {
        options.onReply(row);
        return found;
      }
      // Another may be the one: a message refused before and one that is sent again carry the same ids.
      if (found) progress.declined ??= row;
      else progress.isBlind = true;
    }
  if (progress.isBlind) return { type: "unreadable" };
  if (progress.declined === undefined) return { type: "absent" };
  options.onError(refusedMessage(progress.declined));
  return { type: "declined", code: progress.declined.statusCode };
};

interface Search {
  /** A message was found that may be it, and does not show whether it is. */
  isBlind: boolean;
  /** The newest that the service refused. */
  declined?: StoredMessage;
}

/** The messages that carry the correlation id of a row of this run. */
async function* tagged(
  pages: AsyncIterable<PageOf<StoredMessage>>,
  run: string,
  first: number | undefined,
  progress: Search,
): AsyncGenerator<StoredMessage> {
  for await (const page of pages)
    for (const row of page.rows) {
      // Not every service shows them, although all declare that they do.
      const shown: unknown = row?.customFields;
      const fields = isRecord(shown) ? shown : undefined;
      const at = rowOf(fields);
      const isOfRun = fields?.["msg.run"] === run;
      if (isOfRun && at === first) yield row;
      progress.isBlind ||= fields === undefined || (isOfRun && at === undefined);
    }
}

export const firstRecipient = (body: Uint8Array): string | undefined =>
  recipientOf(messagesIn(body)[0]);
