/** What a group allows in each of its states (facts/messages 5.0). */
import { Refusal } from "../service.ts";
import type { GroupRow } from "../store/groups.ts";

type Status = GroupRow["status"];
type No = readonly [status: number, errorCode: string, why: string];
type Noes = Readonly<Partial<Record<Status, No>>>;

const closed: No = [400, "InvalidGroupStatus", "Only a PENDING group takes or loses messages"];
const notScheduled: No = [400, "InvalidStatus", "The group is not SCHEDULED"];
const notFailed: No = [400, "InvalidStatus", "Only a FAILED group is sent again"];
const notDeletable: No = [400, "NotOperationalStatus", "Only a PENDING or FAILED group is deleted"];
const deleted: No = [400, "DeletedGroup", "The group was deleted"];

const whenFilling: Noes = {
  SCHEDULED: closed,
  SENDING: closed,
  COMPLETE: closed,
  FAILED: closed,
  DELETED: closed,
};
const whenSending: Noes = {
  SCHEDULED: [409, "ScheduledGroup", "The group is scheduled"],
  SENDING: [409, "GroupInProcessing", "The group is being sent"],
  COMPLETE: [409, "AlreadySent", "The group was sent"],
  FAILED: [400, "FailedGroup", "The group has failed"],
  DELETED: deleted,
};
const whenScheduled: Noes = {
  PENDING: notScheduled,
  SENDING: notScheduled,
  COMPLETE: notScheduled,
  FAILED: notScheduled,
  DELETED: notScheduled,
};

/** Operation → state → refusal; a state without one allows it. */
const refusals = {
  add: whenFilling,
  remove: whenFilling,
  send: whenSending,
  schedule: whenSending,
  reschedule: whenScheduled,
  unschedule: whenScheduled,
  delete: {
    SCHEDULED: notDeletable,
    SENDING: notDeletable,
    COMPLETE: notDeletable,
    DELETED: deleted,
  },
  resend: {
    PENDING: notFailed,
    SCHEDULED: notFailed,
    SENDING: notFailed,
    COMPLETE: notFailed,
    DELETED: deleted,
  },
} as const satisfies Readonly<Record<string, Noes>>;

export type Operation = keyof typeof refusals;

/** Throws Refusal where the state of the group does not allow the operation. */
export const checkState = (operation: Operation, { status }: GroupRow): void => {
  const noes: Noes = refusals[operation];
  const no = noes[status];
  if (no === undefined) return;
  const [httpStatus, errorCode, why] = no;
  throw new Refusal(httpStatus, errorCode, `${why}: it is ${status}.`);
};
