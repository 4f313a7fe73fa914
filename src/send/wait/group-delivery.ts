/** What became of a group: its columns, how a command ends with it, and waiting until it is over. */

import { type Polled, pollEndKind, pollUntil } from "../../client/poll.ts";
import { readDuration } from "../../config/settings.ts";
import { duration } from "../../contract/fields.ts";
import { readGroup } from "../../contract/groups.ts";
import type { Group } from "../../contract/message-records.ts";
import { MsgError } from "../../errors.ts";
import { t } from "../../locale/locale.ts";
import { formatFigure, sumOf } from "../../message/price.ts";
import type { Ports } from "../../ports.ts";
import { createLine } from "../report/progress.ts";

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
  const show = (text: string): Promise<void> => line.show(() => text);
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
