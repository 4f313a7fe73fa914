/** Messages as they are shown, and `send --wait`: what became of what was just sent. */

import type { Client } from "../../client/client.ts";
import { resultUnreadError } from "../../client/poll.ts";
import type { StoredMessage } from "../../contract/message-records.ts";
import { listMessages } from "../../contract/messages.ts";
import { MsgError } from "../../errors.ts";
import { asRecord } from "../../json/read-json.ts";
import { t } from "../../locale/locale.ts";
import { isFailure, statusMeaning } from "../../message/status.ts";
import { minor } from "../../output/fields.ts";
import type { Result } from "../../output/view.ts";
import type { Ports } from "../../ports.ts";
import { waitForGroup } from "./group.ts";

const meaning = {
  name: "meaning",
  value: (row: Pick<StoredMessage, "statusCode">) => statusMeaning(row.statusCode),
} as const;

/** Columns of a list of messages. */
export const messageRowColumns = [
  "dateCreated",
  "messageId",
  "to",
  minor("from"),
  "type",
  "statusCode",
  meaning,
] as const;

/** Columns of one message. */
export const messageColumns = [
  "messageId",
  "groupId",
  "dateCreated",
  "to",
  "from",
  "type",
  "status",
  "statusCode",
  meaning,
  "networkName",
  "dateReported",
  "subject",
  "text",
] as const;

/** How a command ends whose message is over: exit 10 where it did not arrive. */
export const endingOf = ({ messageId, statusCode }: StoredMessage): MsgError | undefined =>
  isFailure(statusCode)
    ? new MsgError("refused", t`the message did not arrive: ${statusMeaning(statusCode)}`, {
        code: statusCode,
        where: t`message ${messageId}`,
        todo: `msg explain ${statusCode}`,
        outcome: "done",
      })
    : undefined;

/**
 * The service has no path for one message: it is read through the list. Exit 6 where it is not
 * there.
 */
export const readMessage = async (client: Client, messageId: string): Promise<StoredMessage> => {
  const found = await client.call(listMessages, { query: { messageId } });
  const record = Object.values(found.messageList)[0];
  if (record !== undefined) return record;
  throw new MsgError("missing", t`there is no message '${messageId}'`, {
    code: "ResourceNotFound",
    outcome: "refused",
    todo: t`messages are kept for 6 months; msg message list shows them`,
  });
};

/**
 * Waits for the group of a result: a single message is shown as it ended (exit 10 where it did not
 * arrive), several as their group. Exit 8 when the time is over; nothing is sent again.
 */
export const waitForSent = async (
  ctx: Ports,
  sent: Result,
  within: string | undefined,
): Promise<Result> => {
  const record = asRecord("record" in sent ? sent.record : undefined);
  const messageId = textOf(record.messageId);
  const groupId = textOf(record.groupId) ?? String([record.groups].flat()[0] ?? "");
  // Stopped before: the send has reported it.
  if (ctx.signal.aborted) return sent;
  const todo = t`msg group wait ${groupId} waits again, and sends nothing`;
  const unread = (error: unknown): MsgError => resultUnreadError(ctx, error, todo);
  const waited = await waitForGroup(ctx, groupId, within).catch(unread);
  if (waited instanceof MsgError) return { ...sent, ending: waited };
  if (messageId === undefined) {
    const refused = "ending" in sent ? sent.ending : undefined;
    return { ...waited, ending: waited.ending ?? refused };
  }
  const client = await ctx.session.client();
  const listed = await client.call(listMessages, { query: { messageId } }).catch(unread);
  if (listed instanceof MsgError) return { ...sent, ending: listed };
  const message = listed.messageList[messageId];
  const { ending } = waited;
  // One message is shown as itself, its id first, whether it has arrived yet or not.
  if (message === undefined) return { ...sent, ending };
  return {
    record: message,
    columns: sentColumns,
    ending: ending?.kind === "pending" ? ending : endingOf(message),
  };
};

const sentColumns = [
  ...["messageId", "groupId", "to", "from", "type", "status", "statusCode"],
  meaning,
  "dateReported",
] as const;

const textOf = (value: unknown): string | undefined =>
  typeof value === "string" ? value : undefined;
