/** `send --wait`: what became of what was just sent. */
import type { Context } from "../../context.ts";
import { listMessages } from "../../contract/messages.ts";
import { MsgError } from "../../errors.ts";
import { isFailure, statusMeaning } from "../../message/status.ts";
import type { Result } from "../command.ts";
import { waitForGroup } from "../group/waiting.ts";

/**
 * Waits for the group of a result: a single message is shown as it ended (exit 10 where it did not
 * arrive), several as their group. Exit 8 when the time is over; nothing is sent again.
 */
export const waitForSent = async (
  ctx: Context,
  sent: Result,
  within: string | undefined,
): Promise<Result> => {
  const record: unknown = "record" in sent ? sent.record : undefined;
  const messageId = textIn(record, "messageId");
  const groups = valueIn(record, "groups");
  const groupId = textIn(record, "groupId") ?? (Array.isArray(groups) ? String(groups[0]) : "");
  const waited = await waitForGroup(ctx, groupId, within);
  if (messageId === undefined) {
    const refused = "ending" in sent ? sent.ending : undefined;
    return "ending" in waited && waited.ending === undefined
      ? { ...waited, ending: refused }
      : waited;
  }
  const client = await ctx.client();
  const { messageList } = await client.call(listMessages, { query: { messageId } });
  const message = messageList[messageId];
  if (message === undefined || ("ending" in waited && waited.ending?.kind === "pending"))
    return waited;
  return { record: message, columns, ending: endingOf(messageId, message.statusCode) };
};

const columns = [
  ...["messageId", "groupId", "to", "from", "type", "status", "statusCode"],
  {
    name: "meaning",
    value: (row: { readonly statusCode: string }) => statusMeaning(row.statusCode),
  },
  "dateReported",
] as const;

const endingOf = (messageId: string, statusCode: string): MsgError | undefined =>
  isFailure(statusCode)
    ? new MsgError("refused", `the message did not arrive: ${statusMeaning(statusCode)}`, {
        code: statusCode,
        where: `message ${messageId}`,
        todo: `msg explain ${statusCode}`,
        outcome: "done",
      })
    : undefined;

const valueIn = (record: unknown, name: string): unknown =>
  typeof record === "object" && record !== null ? Reflect.get(record, name) : undefined;

const textIn = (record: unknown, name: string): string | undefined => {
  const value = valueIn(record, name);
  return typeof value === "string" ? value : undefined;
};
