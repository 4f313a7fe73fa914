/** What a group allows in each of its states. */
import { Refusal } from "../service.ts";
import type { GroupRow } from "../store/groups.ts";

type Status = GroupRow["status"];
type No = readonly [status: number, errorCode: string];
type Noes = Readonly<Partial<Record<Status, No>>>;

const inAll = (errorCode: string, ...states: readonly Status[]): Noes =>
  Object.fromEntries(states.map((status) => [status, [400, errorCode] satisfies No]));

const deleted: Noes = { DELETED: [400, "DeletedGroup"] };

const whenFilling = inAll(
  "InvalidGroupStatus",
  "SCHEDULED",
  "SENDING",
  "COMPLETE",
  "FAILED",
  "DELETED",
);
const whenSending: Noes = {
  SCHEDULED: [409, "ScheduledGroup"],
  SENDING: [409, "GroupInProcessing"],
  COMPLETE: [409, "AlreadySent"],
  FAILED: [400, "FailedGroup"],
  ...deleted,
};
const whenScheduled = inAll("InvalidStatus", "PENDING", "SENDING", "COMPLETE", "FAILED", "DELETED");

/** Operation → state → refusal; a state without one allows it. */
const refusals = {
  add: whenFilling,
  remove: whenFilling,
  send: whenSending,
  schedule: whenSending,
  reschedule: whenScheduled,
  unschedule: whenScheduled,
  delete: { ...inAll("NotOperationalStatus", "SCHEDULED", "SENDING", "COMPLETE"), ...deleted },
  resend: { ...inAll("InvalidStatus", "PENDING", "SCHEDULED", "SENDING", "COMPLETE"), ...deleted },
} as const satisfies Readonly<Record<string, Noes>>;

export type Operation = keyof typeof refusals;

/** Throws Refusal where the state of the group does not allow the operation. */
export const checkState = (operation: Operation, { status }: GroupRow): void => {
  const noes: Noes = refusals[operation];
  const no = noes[status];
  if (no !== undefined) throw new Refusal(...no, `The group is ${status}.`);
};
