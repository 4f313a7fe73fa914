/** What the commands that read messages share. */
import type { Client } from "../../client/client.ts";
import type { StoredMessage } from "../../contract/message-records.ts";
import { listMessages } from "../../contract/messages.ts";
import { MsgError } from "../../errors.ts";
import { isFailure, statusMeaning } from "../../message/status.ts";

/** Columns of a list of messages. */
export const messageRowColumns = [
  "dateCreated",
  "messageId",
  "to",
  "from",
  "type",
  "statusCode",
  { name: "meaning", value: (row: StoredMessage) => statusMeaning(row.statusCode) },
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
  { name: "meaning", value: (row: StoredMessage) => statusMeaning(row.statusCode) },
  "networkName",
  "dateReported",
  "subject",
  "text",
] as const;

/** How a command ends whose message is over: exit 10 where it did not arrive. */
export const endingOf = ({ messageId, statusCode }: StoredMessage): MsgError | undefined =>
  isFailure(statusCode)
    ? new MsgError("refused", `the message did not arrive: ${statusMeaning(statusCode)}`, {
        code: statusCode,
        where: `message ${messageId}`,
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
  throw new MsgError("missing", `there is no message '${messageId}'`, {
    code: "ResourceNotFound",
    outcome: "refused",
    todo: "messages are kept for 6 months; msg message list shows them",
  });
};
