/** What a group allows in each of its states. */
import { Refusal } from "../service.ts";
import type { GroupRow } from "../store/groups.ts";

type Status = GroupRow["status"];
type No = readonly [status: number, errorCode: string];
type Noes = Readonly<Partial<Record<Status, No>>>;

const closed: No = [400, "InvalidGroupStatus"];
const invalid: No = [400, "InvalidStatus"];
const notOperational: No = [400, "NotOperationalStatus"];
const deleted: No = [400, "DeletedGroup"];

const whenFilling: Noes = {
  SCHEDULED: closed,
  SENDING: closed,
  COMPLETE: closed,
  FAILED: closed,
  DELETED: closed,
};
const whenSending: Noes = {
  SCHEDULED: [409, "ScheduledGroup"],
  SENDING: [409, "GroupInProcessing"],
  COMPLETE: [409, "AlreadySent"],
  FAILED: [400, "FailedGroup"],
  DELETED: deleted,
};
const whenScheduled: Noes = {
  PENDING: invalid,
  SENDING: invalid,
  COMPLETE: invalid,
  FAILED: invalid,
  DELETED: invalid,
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
    SCHEDULED: notOperational,
    SENDING: notOperational,
    COMPLETE: notOperational,
    DELETED: deleted,
  },
  resend: {
    PENDING: invalid,
    SCHEDULED: invalid,
    SENDING: invalid,
    COMPLETE: invalid,
    DELETED: deleted,
  },
} as const satisfies Readonly<Record<string, Noes>>;

export type Operation = keyof typeof refusals;

/** Throws Refusal where the state of the group does not allow the operation. */
export const checkState = (operation: Operation, { status }: GroupRow): void => {
  const noes: Noes = refusals[operation];
  const no = noes[status];
  if (no !== undefined) throw new Refusal(...no, `The group is ${status}.`);
};
