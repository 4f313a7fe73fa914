/** What the service's records of groups mean for the protocol; one that says nothing sensible proves nothing. */
import * as v from "valibot";
import type { Group, StoredMessage } from "../../contract/message-records.ts";
import type { Outcome } from "./actions.ts";
import { type Counts, count } from "./entries.ts";

type Ok = Extract<Outcome, { type: "ok" }>;

export const okOutcome = (id: string, counts: Counts, cost = 0, failed = false): Ok => ({
  type: "ok",
  id,
  counts,
  cost,
  failed,
});

/** What is charged proves nothing: it may be missing. */
const charged = v.fallback(v.object({ requested: v.number() }), { requested: 0 });

/** What is read of a record: an invalid count would be written down, and the journal could not be read again. */
const figures = v.object({
  count: v.object({ registeredSuccess: count, registeredFailed: count }),
  balance: charged,
  point: charged,
});

const figuresOf = (group: Group) => {
  const read = v.safeParse(figures, group);
  if (!read.success) return undefined;
  const { count: found, balance, point } = read.output;
  return {
    counts: { accepted: found.registeredSuccess, refused: found.registeredFailed },
    cost: balance.requested + point.requested,
  };
};

/**
 * A group that a call of this many rows made. One that failed as a whole (balance, quota) sent none
 * of them, registered or not. Undefined if its counts are not those of the call: then it proves
 * nothing.
 */
export const callOutcome = (group: Group, rows: number): Ok | undefined => {
  const read = figuresOf(group);
  if (!read || typeof group.groupId !== "string") return undefined;
  const failed = group.status === "FAILED";
  const counts = failed ? { accepted: 0, refused: rows } : read.counts;
  if (counts.accepted + counts.refused !== rows) return undefined;
  return okOutcome(group.groupId, counts, read.cost, failed);
};

/**
 * The same for a group that is found. One that neither was sent nor waits for its hour proves nothing:
 * the call may be half done, or someone deleted what it made.
 */
export const foundCallOutcome = (group: Group, rows: number): Ok | undefined =>
  isTaken(group.status) ? callOutcome(group, rows) : undefined;

/** Whether the service took the request to send or to schedule a group with this status. */
export const isTaken = (status: string): boolean =>
  ["SCHEDULED", "SENDING", "COMPLETE", "FAILED"].includes(status);

/** What a group cost, or will cost; 0 if the service does not say. */
export const costOf = (group: Group): number => figuresOf(group)?.cost ?? 0;

/** The answer to the send of a group; one without counts, or of a group that is open, is read once more. */
export const sendOutcome = (group: Group): Outcome => {
  const read = figuresOf(group);
  if (!read || !isTaken(group.status)) return { type: "already" };
  return okOutcome(group.groupId, read.counts, read.cost, group.status === "FAILED");
};

const statuses = {
  PENDING: "open",
  SCHEDULED: "scheduled",
  SENDING: "sent",
  COMPLETE: "sent",
  FAILED: "failed",
  DELETED: "deleted",
} as const;

export const groupOutcome = (group: Group): Outcome => {
  const read = figuresOf(group);
  if (!read) return { type: "unreadable" };
  return { type: "group", status: statuses[group.status] ?? "other", ...read };
};

/** Codes of registration: the row was never taken on. */
export const isRefused = ({ statusCode }: Pick<StoredMessage, "statusCode">): boolean =>
  String(statusCode).startsWith("1");
