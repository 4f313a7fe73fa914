/** What the service's records of groups mean for the protocol. */
import type { Group, StoredMessage } from "../contract/message-records.ts";
import type { Outcome } from "./protocol/entries.ts";

export const ok = (id: string, accepted: number, refused: number, cost: number): Outcome => ({
  is: "ok",
  id,
  counts: { accepted, refused },
  cost,
  failed: false,
});

const costOf = ({ balance, point }: Group): number => balance.requested + point.requested;

/** A group that failed as a whole (balance, quota) sent none of its rows, registered or not. */
export const sent = (group: Group): Outcome => {
  const { total, registeredSuccess, registeredFailed } = group.count;
  const failed = group.status === "FAILED";
  const counts = failed
    ? { accepted: 0, refused: total }
    : { accepted: registeredSuccess, refused: registeredFailed };
  return { is: "ok", id: group.groupId, counts, cost: costOf(group), failed };
};

const statuses = {
  PENDING: "open",
  SCHEDULED: "scheduled",
  SENDING: "sent",
  COMPLETE: "sent",
  FAILED: "failed",
  DELETED: "deleted",
} as const;

export const seen = (group: Group): Outcome => ({
  is: "group",
  status: statuses[group.status] ?? "other",
  counts: { accepted: group.count.registeredSuccess, refused: group.count.registeredFailed },
  cost: costOf(group),
});

/** The number of a row in its source, from the mark of its run. */
export const rowOf = (
  fields: Readonly<Record<string, unknown>> | undefined,
): number | undefined => {
  const row = Number(fields?.["msg.row"]);
  return Number.isInteger(row) ? row : undefined;
};

/** Codes of registration: the row was never taken on. */
export const isRefused = ({ statusCode }: Pick<StoredMessage, "statusCode">): boolean =>
  statusCode.startsWith("1");
