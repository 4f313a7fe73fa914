/** A group as it is shown, and waiting until it is over. */

import { pollEndKind } from "../../client/poll.ts";
import { readDuration } from "../../config/settings.ts";
import { readGroup } from "../../contract/groups.ts";
import type { Group } from "../../contract/message-records.ts";
import { MsgError } from "../../errors.ts";
import { t } from "../../locale/locale.ts";
import { formatFigure, sumOf } from "../../message/price.ts";
import type { Ports } from "../../ports.ts";
import { pollShown } from "./poll-shown.ts";

/** Won that a group took, less what was given back. */
export const costOf = ({ balance, point }: Group): number =>
  sumOf([balance, point].flatMap((it) => [it.requested, it.replacement, 0 - it.refund]));

export const groupColumns = [
  "groupId",
  "status",
  { name: "total", value: (row: Group) => row.count.total },
  { name: "success", value: (row: Group) => row.count.sentSuccess },
  { name: "failed", value: (row: Group) => row.count.registeredFailed + row.count.sentFailed },
  { name: "pending", value: (row: Group) => row.count.sentPending },
  { name: "cost", value: costOf },
  "dateCreated",
] as const;

/** The columns of one group: when it goes out as well. */
export const groupCard = [
  ...groupColumns,
  "scheduledDate",
  "dateSent",
  "dateCompleted",
  { name: "refused", value: (row: Group) => row.count.registeredFailed },
] as const;

/** Messages that did not arrive: of one that another was sent in place of only the last counts. */
export const failedIn = ({ sentFailed, sentReplacement }: Group["count"]): number =>
  Math.max(0, sentFailed - sentReplacement);

/**
 * How the command ends for a group that is over: exit 10 where it was not sent, 3 where some of its
 * messages did not arrive, none where all did.
 */
const endingOf = ({ groupId, status, count }: Group): MsgError | undefined => {
  if (status === "FAILED" || status === "DELETED")
    return new MsgError("refused", t`the group is ${status}: nothing of it was sent`, {
      code: status === "FAILED" ? "FailedGroup" : "DeletedGroup",
      where: t`group ${groupId}`,
      todo: t`msg group get ${groupId} --log shows why`,
      outcome: "done",
    });
  const failed = failedIn(count);
  if (status !== "COMPLETE" || failed === 0) return undefined;
  return new MsgError("partial", t`${failed} of ${count.registeredSuccess} did not arrive`, {
    code: "NotDelivered",
    where: t`group ${groupId}`,
    todo: t`msg group messages ${groupId} --all shows each message with its code`,
    outcome: "done",
  });
};

/** The group when it is over, or as it stands when the time is: then exit 8. */
export const waitForGroup = async (ctx: Ports, groupId: string, within = "60s") => {
  const withinMs = readDuration(within, "--within");
  const client = await ctx.session.client();
  const ask = async () => {
    const value = await client.call(readGroup, { params: { groupId } });
    return { value, done: isOver(value) };
  };
  const { value: record, done } = await pollShown(ctx, withinMs, ask, describeGroup);
  if (done) return { record, columns: groupColumns, ending: endingOf(record) };
  const kind = pollEndKind(ctx);
  const what =
    kind === "pending"
      ? t`the group is ${record.status} after ${within}`
      : t`the group is ${record.status} now`;
  const ending = new MsgError(kind, what, {
    code: kind === "pending" ? "Pending" : "Interrupted",
    where: t`group ${groupId}: ${record.count.sentPending} of ${record.count.total} open`,
    todo: t`wait again: msg group wait ${groupId} --within 5m`,
    outcome: "done",
  });
  return { record, columns: groupColumns, ending };
};

/** `group G4V… SENDING: 3 delivered, 1 failed, 2 on the way`. */
export const describeGroup = ({ groupId, status, count }: Group): string => {
  const { registeredSuccess, sentSuccess } = count;
  const failed = failedIn(count);
  const open = Math.max(0, registeredSuccess - sentSuccess - failed);
  const [done = "", lost = "", left = ""] = [sentSuccess, failed, open].map(formatFigure);
  return t`group ${groupId} ${status}: ${done} delivered, ${lost} failed, ${left} on the way`;
};

export const isOver = ({ status }: Group): boolean =>
  status === "COMPLETE" || status === "FAILED" || status === "DELETED";
