/** Shows groups and messages, and waits until they are over: `group wait`, `send --wait`. */

import type { Client } from "../../client/client.ts";
import { type Polled, pollEndKind, pollUntil, resultUnreadError } from "../../client/poll.ts";
import { readDuration } from "../../config/settings.ts";
import { duration } from "../../contract/fields.ts";
import { readGroup } from "../../contract/groups.ts";
import type { Group, StoredMessage } from "../../contract/message-records.ts";
import { listMessages } from "../../contract/messages.ts";
import { MsgError } from "../../errors.ts";
import { asRecord, asText } from "../../json/read-json.ts";
import { t } from "../../locale/locale.ts";
import { formatFigure, sumOf } from "../../message/price.ts";
import { isFailure, statusMeaning } from "../../message/status.ts";
import { mayBeReplaced } from "../../message/type.ts";
import { minor } from "../../output/fields.ts";
import type { Result } from "../../output/view.ts";
import type { Ports } from "../../ports.ts";
import { isRefused } from "../protocol/outcomes.ts";
import { createLine } from "../report/progress.ts";
import { codeInPlaceOf, readInPlace } from "./in-place.ts";

/** The flag of commands that wait for one message or group. */
export const withinFlag = duration("how long to wait, such as 30s or 5m; default: 60s");

/** Won that a group took, less what was given back. */
export const groupCost = ({ balance, point }: Group): number =>
  sumOf([balance, point].flatMap((it) => [it.requested, it.replacement, 0 - it.refund]));

export const groupColumns = [
  "groupId",
  "status",
  { name: "total", value: (row: Group) => row.count.total },
  { name: "success", value: (row: Group) => row.count.sentSuccess },
  { name: "failed", value: (row: Group) => row.count.registeredFailed + row.count.sentFailed },
  { name: "pending", value: (row: Group) => row.count.sentPending },
  { name: "cost", value: groupCost },
  "dateCreated",
] as const;

/** The columns of one group: when it goes out as well. */
export const groupCardColumns = [
  ...groupColumns,
  "scheduledDate",
  "dateSent",
  "dateCompleted",
  { name: "refused", value: (row: Group) => row.count.registeredFailed },
] as const;

/** The sum of a count of some groups. */
export const sumIn = (groups: readonly Group[], of: (count: Group["count"]) => number): number =>
  groups.reduce((sum, { count }) => sum + of(count), 0);

/** Messages that did not arrive: if another was sent in place of one, only the last counts. */
export const failedIn = ({ sentFailed, sentReplacement }: Group["count"]): number =>
  Math.max(0, sentFailed - sentReplacement);

/**
 * How the command ends for a group that is over: exit 10 if it was not sent, 3 if some of its messages
 * did not arrive, none if all did.
 */
const groupEnding = (group: Group): MsgError | undefined => {
  const { groupId, status, count } = group;
  if (status === "FAILED" || status === "DELETED") return notSentError(group, "done");
  const failed = failedIn(count);
  if (status !== "COMPLETE" || failed === 0) return undefined;
  return new MsgError("partial", t`${failed} of ${count.registeredSuccess} did not arrive`, {
    code: "NotDelivered",
    where: t`group ${groupId}`,
    todo: t`msg group messages ${groupId} --all shows each message with its code`,
    outcome: "done",
  });
};

const notSentError = ({ groupId, status }: Group, outcome: "done" | "refused"): MsgError =>
  new MsgError("refused", t`the group is ${status}: nothing of it was sent`, {
    code: status === "FAILED" ? "FailedGroup" : "DeletedGroup",
    where: t`group ${groupId}`,
    todo: t`msg group get ${groupId} --log shows why`,
    outcome,
  });

/** The answer to a send: the service may say with a 200, too, that it sent nothing, as if the quota is used up. */
export const sentResult = ({ record }: { readonly record: Group }) => ({
  record,
  ending: record.status === "FAILED" ? notSentError(record, "refused") : undefined,
});

/** The group once it is over, or as it is when the time is up: then exit 8. */
export const waitForGroup = async (ctx: Ports, groupId: string, within = "60s") => {
  const withinMs = readDuration(within, "--within");
  const client = await ctx.session.client();
  const ask = async () => {
    const value = await client.call(readGroup, { params: { groupId } });
    return { value, done: isOver(value) };
  };
  const { value: record, done } = await pollWithProgress(ctx, withinMs, ask, describeGroup);
  if (done) return { record, columns: groupColumns, ending: groupEnding(record) };
  const kind = pollEndKind(ctx);
  const what =
    kind === "pending"
      ? t`the group is ${record.status} after ${within}`
      : t`the group is ${record.status} now`;
  const ending = new MsgError(kind, what, {
    code: kind === "pending" ? "Pending" : "Interrupted",
    where: t`group ${groupId}: ${record.count.sentPending} of ${record.count.total} open`,
    todo:
      record.status === "PENDING"
        ? t`it was not sent yet: msg group send ${groupId} sends it`
        : t`wait again: msg group wait ${groupId} --within 5m`,
    outcome: "done",
  });
  return { record, columns: groupColumns, ending };
};

/** `group G4V… SENDING: 3 delivered, 1 failed, 2 on the way`. */
export const describeGroup = ({ groupId, status, count }: Group): string => {
  const { registeredSuccess, sentSuccess } = count;
  const failed = failedIn(count);
  // Messages that were filled and not sent are not on the way.
  const going = status === "PENDING" ? 0 : registeredSuccess;
  const open = Math.max(0, going - sentSuccess - failed);
  const [done = "", lost = "", left = ""] = [sentSuccess, failed, open].map(formatFigure);
  return t`group ${groupId} ${status}: ${done} delivered, ${lost} failed, ${left} on the way`;
};

export const isOver = ({ status }: Group): boolean =>
  status === "COMPLETE" || status === "FAILED" || status === "DELETED";

/** The same for a group of a run: one whose messages were all refused is never sent, and its record stays open. */
export const isDecided = (group: Group): boolean =>
  isOver(group) || (group.count.total > 0 && group.count.registeredSuccess === 0);

/** As `pollUntil`; `describe` says in a few words what is not over yet. */
export const pollWithProgress = async <T>(
  ctx: Ports,
  withinMs: number,
  ask: () => Promise<Polled<T>>,
  describe: (value: T) => string,
): Promise<Polled<T>> => {
  const line = createLine(ctx, 0);
  let shown = "";
  const show = async (text: string): Promise<void> => {
    if (text !== shown) await line.show(() => text);
    shown = text;
  };
  const read = async () => {
    const polled = await ask();
    if (!polled.done) await show(describe(polled.value));
    return polled;
  };
  try {
    return await pollUntil(ctx, withinMs, read, show);
  } finally {
    // The result says how it ended.
    await line.clear();
  }
};

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
  const unread = (error: unknown): MsgError => resultUnreadError(ctx, error, todo);
  const waited = await waitForGroup(ctx, groupId, within).catch(unread);
  if (waited instanceof MsgError) return { ...sent, ending: waited };
  if (messageId === undefined) return { ...waited, ending: waited.ending ?? refused };
  const client = await ctx.session.client();
  const listed = await client.call(listMessages, { query: { messageId } }).catch(unread);
  if (listed instanceof MsgError) return { ...sent, ending: listed };
  const message = listed.messageList[messageId];
  const { ending } = waited;
  // One message is shown as itself, its id first, whether it has arrived yet or not.
  if (message === undefined) return { ...sent, ending };
  const shown = { record: message, columns: sentColumns };
  if (ending?.kind === "pending") return { ...shown, ending };
  const outcome = await readOutcome(client, message).catch(unread);
  if (outcome instanceof MsgError) return { ...shown, ending: outcome };
  await sayArrivedInPlace(ctx, message, outcome.code);
  // A group that was not sent leaves its message as it was added.
  const unsent = ending?.kind === "refused" ? ending : undefined;
  return { ...shown, ending: messageEnding(message, outcome.code) ?? unsent };
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
