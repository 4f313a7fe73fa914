/** What became of a message: its columns, how a command ends with it, and waiting until one that was sent is over. */

import type { Client } from "../../client/client.ts";
import { resultUnreadError } from "../../client/poll.ts";
import { readGroup } from "../../contract/groups.ts";
import type { StoredMessage } from "../../contract/message-records.ts";
import { listMessages } from "../../contract/messages.ts";
import { MsgError } from "../../errors.ts";
import { asRecord, asText } from "../../json/read-json.ts";
import { t } from "../../locale/locale.ts";
import { isFailure, statusMeaning } from "../../message/status.ts";
import { mayBeReplaced } from "../../message/type.ts";
import { minor } from "../../output/columns.ts";
import type { Result } from "../../output/view.ts";
import type { Ports } from "../../ports.ts";
import { isRefused } from "../protocol/outcomes.ts";
import { isOver, waitForGroup } from "./group-delivery.ts";
import { codeInPlaceOf, readInPlace } from "./in-place.ts";

const meaning = {
  name: "meaning",
  value: (row: Pick<StoredMessage, "statusCode">) => statusMeaning(row.statusCode),
} as const;

export const messageRowColumns = [
  "dateCreated",
  "messageId",
  "to",
  minor("from"),
  "type",
  "statusCode",
  meaning,
] as const;

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

/** How a command ends once its message is over, by the code that decides: exit 10 if it did not arrive. */
export const messageEnding = ({ messageId }: StoredMessage, code: string): MsgError | undefined =>
  isFailure(code)
    ? new MsgError("refused", t`the message did not arrive: ${statusMeaning(code)}`, {
        code,
        where: t`message ${messageId}`,
        todo: `msg explain ${code}`,
        outcome: "done",
      })
    : undefined;

/**
 * The code that says what became of a message, and whether no other follows. Throws what the client throws.
 */
export const readOutcome = async (
  client: Client,
  message: StoredMessage,
): Promise<{ readonly code: string; readonly isFinal: boolean }> => {
  const { statusCode: code, groupId } = message;
  if (!isFailure(code)) return { code, isFinal: code === "4000" };
  if (isRefused(message) || !mayBeReplaced(message)) return { code, isFinal: true };
  // Read before the list, which then shows all that a group that is over has sent.
  const isLast = isOver(await client.call(readGroup, { params: { groupId } }));
  const last = codeInPlaceOf(message, await readInPlace(client, groupId)) ?? code;
  return { code: last, isFinal: last === "4000" || (isFailure(last) && isLast) };
};

/** Says that a message failed, and that another arrived in its place. */
export const sayArrivedInPlace = async (
  ctx: Ports,
  { statusCode }: StoredMessage,
  code: string,
): Promise<void> => {
  if (code === "4000" && statusCode !== code)
    await ctx.note(
      t`${statusMeaning(statusCode)} (${statusCode}); what the service sent in its place arrived`,
    );
};

/**
 * Reads one message through the list, since the service has no path for it. Exit 6 if it is not
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
 * Waits for the group of a result: a single message is shown as it ended (exit 10 if it did not
 * arrive), several as their group. Exit 8 when the time is over; nothing is sent again.
 */
export const waitForSent = async (
  ctx: Ports,
  sent: Result,
  within: string | undefined,
): Promise<Result> => {
  const record = asRecord("record" in sent ? sent.record : undefined);
  const messageId = asText(record.messageId);
  const groupId = asText(record.groupId) ?? String([record.groups].flat()[0] ?? "");
  const refused = "ending" in sent ? sent.ending : undefined;
  // It was stopped before, was a dry run, or nothing was accepted: the send has reported it.
  if (ctx.signal.aborted || ctx.consent.dryRun || refused?.outcome === "refused") return sent;
  const todo = t`msg group wait ${groupId} waits again, and sends nothing`;
  let shown = sent;
  try {
    const waited = await waitForGroup(ctx, groupId, within);
    const { ending } = waited;
    if (messageId === undefined) return { ...waited, ending: ending ?? refused };
    const client = await ctx.session.client();
    const { messageList } = await client.call(listMessages, { query: { messageId } });
    const message = messageList[messageId];
    if (message === undefined) return { ...sent, ending };
    // One message is shown as itself, its id first, whether it has arrived yet or not.
    shown = { record: message, columns: sentColumns };
    if (ending?.kind === "pending") return { ...shown, ending };
    const { code } = await readOutcome(client, message);
    await sayArrivedInPlace(ctx, message, code);
    // A group that was not sent leaves its message as it was added.
    const unsent = ending?.kind === "refused" ? ending : undefined;
    return { ...shown, ending: messageEnding(message, code) ?? unsent };
  } catch (error) {
    return { ...shown, ending: resultUnreadError(ctx, error, todo) };
  }
};

const sentColumns = [
  "messageId",
  "groupId",
  "to",
  "from",
  "type",
  "status",
  "statusCode",
  meaning,
  "dateReported",
] as const;
