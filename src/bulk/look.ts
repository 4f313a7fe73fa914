/** Finds what a call sent that was not answered, by the mark of its run. */
import type { CallOptions, Client, PageOf } from "../client/client.ts";
import { readGroup } from "../contract/groups.ts";
import type { Group, StoredMessage } from "../contract/message-records.ts";
import { listMessages } from "../contract/messages.ts";
import { rowOf, sentRows } from "./outcomes.ts";
import type { Action, Outcome } from "./protocol/entries.ts";
import type { RunFile } from "./run-file.ts";

interface LookOptions {
  readonly client: Client;
  readonly run: RunFile;
  /** The bytes of a chunk's body. */
  readonly body: (chunk: number) => Uint8Array;
  /** The message that was found. */
  readonly onReply: (reply: unknown) => void;
}

/** Minutes before the signature from which on messages are looked at: clocks differ. */
const earlierMs = 20 * 60 * 1000;

/** The newest rows of a recipient, one page of them: looked at whatever their dates say. */
const newest = listMessages.page.most;

/**
 * Finds what a call sent by the tag of its first row: among the newest messages to its recipient, then
 * among all since the signature. Only the second search relies on clocks that agree.
 */
export const look = async (
  { chunk, signature }: Extract<Action, { do: "look" }>,
  options: LookOptions,
  call: CallOptions,
): Promise<Outcome> => {
  const { client, run } = options;
  const to = firstRecipient(options.body(chunk));
  const query = to === undefined ? {} : { to };
  const startDate = new Date(Date.parse(signature.date) - earlierMs).toISOString();
  const searches = [
    client.pages(listMessages, { query }, { ...call, rows: newest }),
    client.pages(listMessages, { query: { ...query, startDate } }, call),
  ];
  const blind = { is: false };
  for (const pages of searches) {
    const row = await tagged(pages, run.run, run.chunks[chunk]?.first, blind);
    if (row === undefined) continue;
    options.onReply(row);
    const { groupId } = row;
    const group = await client.call(readGroup, { params: { groupId } }, call);
    return foundIn(group, run.chunks[chunk]?.rows ?? 0);
  }
  return { is: blind.is ? "unreadable" : "absent" };
};

/**
 * A group that is neither sent nor waits for its hour proves nothing: the call may be half done. One that
 * is deleted never will be sent.
 */
const foundIn = (group: Group, rows: number): Outcome => {
  if (group.status === "DELETED") return { is: "absent" };
  const isTaken = ["SCHEDULED", "SENDING", "COMPLETE", "FAILED"].includes(group.status);
  return (isTaken ? sentRows(group, rows) : undefined) ?? { is: "unreadable" };
};

/** The message that carries the tag of a row of this run. `blind`: one was met that may be it, and does not say. */
const tagged = async (
  pages: AsyncIterable<PageOf<StoredMessage>>,
  run: string,
  first: number | undefined,
  blind: { is: boolean },
): Promise<StoredMessage | undefined> => {
  for await (const page of pages)
    for (const row of page.rows) {
      const fields = marksOf(row);
      const at = rowOf(fields);
      const isOfRun = fields?.["msg.run"] === run;
      if (isOfRun && at === first) return row;
      blind.is ||= fields === undefined || (isOfRun && at === undefined);
    }
  return undefined;
};

/** Undefined where the service does not tell them, which it declares to do. */
const marksOf = (row: StoredMessage): Readonly<Record<string, unknown>> | undefined => {
  const fields: unknown = row?.customFields;
  return typeof fields === "object" && fields !== null ? { ...fields } : undefined;
};

const firstRecipient = (body: Uint8Array): string | undefined => {
  const value: unknown = JSON.parse(Buffer.from(body).toString("utf8"));
  const message = member(value, "message") ?? member(member(value, "messages"), "0");
  const to = member(message, "to");
  const first: unknown = Array.isArray(to) ? to[0] : to;
  return typeof first === "string" ? first : undefined;
};

const member = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
