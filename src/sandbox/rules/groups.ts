/** How a group begins, accepts messages, is scheduled, writes its log, and what its states allow. */
import { declared, type Input } from "../../contract/endpoint.ts";
import type { createGroup } from "../../contract/groups.ts";
import { group, maxMonthsAhead, type TypeKey } from "../../contract/message-records.ts";
import type { sendMany } from "../../contract/messages.ts";
import { monthsAfter } from "../../contract/time.ts";
import { isKakaoType } from "../../message/type.ts";
import { timeOf } from "../clock.ts";
import { Refusal, type Service } from "../service.ts";
import type { AppRow } from "../store/apps.ts";
import { type GroupRow, pendingGroup } from "../store/groups.ts";
import type { AcceptedCount, NewMessage, RemovedMessage } from "../store/messages.ts";
import type { Store } from "../store/store.ts";

type Agent = NonNullable<Input<typeof sendMany>["body"]["agent"]>;

/** What a call says about the group that it creates. */
type GroupOptions = Omit<Input<typeof createGroup>["body"], keyof Agent> & Agent;

/** A group of the caller without messages, PENDING, sent through an app if one is given. The caller stores it. */
export const newGroup = (
  { store, caller, now }: Pick<Service, "store" | "caller" | "now">,
  { strict, allowDuplicates, sdkVersion, osPlatform, customFields }: GroupOptions,
  app?: AppRow,
): GroupRow => {
  const { accountId, address } = caller;
  const group: GroupRow = {
    ...pendingGroup,
    seq: store.nextNumber("group"),
    accountId,
    prepaid: store.accounts.get(accountId).prepaid,
    strict: Number(strict ?? false),
    allowDuplicates: Number(allowDuplicates ?? false),
    sdkVersion: sdkVersion ?? null,
    osPlatform: osPlatform ?? null,
    customFields: JSON.stringify(customFields ?? {}),
    appId: app?.appId ?? null,
    appVersion: app?.appVersion ?? null,
    appProfit: app?.profit ?? null,
    created: now,
    updated: now,
  };
  return logged(group, now, `[${address}] message group created`);
};

/** Accepted messages by type and country: `{ sms: { "82": 3 } }`. */
type Charge = Record<string, Record<string, number>>;

export const chargeOf = (group: GroupRow): Charge => JSON.parse(group.charge);

type Countable = Pick<AcceptedCount, "type" | "country"> & { readonly count?: number };

/** A charge with this many more, or fewer; a country without charges has no key. */
export const chargeWith = (
  charge: Charge,
  messages: readonly Countable[],
  sign: 1 | -1 = 1,
): Charge => {
  for (const { type, country, count = 1 } of messages) {
    const key = type.toLowerCase();
    const countries = charge[key] ?? {};
    charge[key] = countries;
    const after = (countries[country] ?? 0) + sign * count;
    if (after > 0) countries[country] = after;
    else delete countries[country];
  }
  return charge;
};

export const perType = <T>(of: (key: TypeKey) => T): Readonly<Record<TypeKey, T>> => ({
  sms: of("sms"),
  lms: of("lms"),
  mms: of("mms"),
  ata: of("ata"),
  cta: of("cta"),
  cti: of("cti"),
  nsa: of("nsa"),
  rcs_sms: of("rcs_sms"),
  rcs_lms: of("rcs_lms"),
  rcs_mms: of("rcs_mms"),
  rcs_tpl: of("rcs_tpl"),
});

export const logged = (
  group: GroupRow,
  at: number,
  message: string,
  members: Readonly<Record<string, unknown>> = {},
): GroupRow => {
  const entry = JSON.stringify({ createAt: timeOf(at), message, ...members });
  const before = group.log === "[]" ? "[" : `${group.log.slice(0, -1)},`;
  return { ...group, log: `${before}${entry}]`, updated: at };
};

/** The group with messages counted and priced; with `sign` -1 subtracted, since they were removed. */
export const withCounted = (
  group: GroupRow,
  messages: readonly Omit<RemovedMessage, "seq">[],
  sign: 1 | -1,
  at: number,
): GroupRow => {
  const accepted = messages.filter(({ statusCode }) => statusCode === "2000");
  const refused = messages.length - accepted.length;
  return {
    ...group,
    registeredSuccess: group.registeredSuccess + sign * accepted.length,
    registeredFailed: group.registeredFailed + sign * refused,
    price: group.price + sign * accepted.reduce((sum, { price }) => sum + price, 0),
    charge: JSON.stringify(chargeWith(chargeOf(group), accepted, sign)),
    updated: at,
  };
};

/** The group with these messages counted, priced and logged: one line for each type and country. */
export const withMessages = (
  group: GroupRow,
  messages: readonly NewMessage[],
  at: number,
): GroupRow => {
  const replaceable = messages.some(mayBeReplaced) ? 1 : group.replaceable;
  let result: GroupRow = { ...withCounted(group, messages, 1, at), replaceable };
  const accepted = messages.filter(({ statusCode }) => statusCode === "2000");
  for (const [type, countries] of Object.entries(chargeWith({}, accepted))) {
    for (const [country, count] of Object.entries(countries)) {
      const line = `country(${country}) ${type.toUpperCase()} ${count} message(s) added`;
      result = logged(result, at, line);
    }
  }
  return result;
};

/** Kakao messages, and messages with replacements, may be replaced when they fail. */
const mayBeReplaced = ({ type, options }: NewMessage): boolean =>
  isKakaoType(type) || options?.replacements !== undefined;

/** The group with messages accepted again that were refused when it was stopped. */
export const withReopened = (
  group: GroupRow,
  counts: readonly AcceptedCount[],
  at: number,
): GroupRow => {
  const accepted = counts.reduce((sum, { count }) => sum + count, 0);
  return {
    ...group,
    registeredSuccess: accepted,
    registeredFailed: group.registeredSuccess + group.registeredFailed - accepted,
    price: counts.reduce((sum, { price }) => sum + price, 0),
    charge: JSON.stringify(chargeWith({}, counts)),
    updated: at,
  };
};

export const countOf = (row: GroupRow) => {
  const total = row.registeredSuccess + row.registeredFailed;
  return declared(group.entries.count, { ...row, total, refund: row.refunded });
};

/** Won that a group took, less what was given back: 0 before it is sent. */
export const costOf = (it: GroupRow): number => {
  const charged = it.balanceRequested + it.balanceReplacement + it.pointRequested;
  return charged + it.pointReplacement - it.balanceRefund - it.pointRefund;
};

type Status = GroupRow["status"];

interface StateRule {
  readonly allowed: readonly Status[];
  /** The code of 400 in any other state. */
  readonly errorCode: string;
  /** States that are refused with another code. */
  readonly others?: Readonly<Partial<Record<Status, readonly [status: number, errorCode: string]>>>;
}

const deleted = { DELETED: [400, "DeletedGroup"] } as const;
const whenFilling = { allowed: ["PENDING"], errorCode: "InvalidGroupStatus" } as const;
const whenScheduled = { allowed: ["SCHEDULED"], errorCode: "InvalidStatus" } as const;
const whenSending = {
  allowed: ["PENDING"],
  errorCode: "FailedGroup",
  others: {
    SCHEDULED: [409, "ScheduledGroup"],
    SENDING: [409, "GroupInProcessing"],
    COMPLETE: [409, "AlreadySent"],
    ...deleted,
  },
} as const;

const stateRules = {
  add: whenFilling,
  remove: whenFilling,
  send: whenSending,
  schedule: whenSending,
  reschedule: whenScheduled,
  unschedule: whenScheduled,
  delete: { allowed: ["PENDING", "FAILED"], errorCode: "NotOperationalStatus", others: deleted },
  resend: { allowed: ["FAILED"], errorCode: "InvalidStatus", others: deleted },
} as const satisfies Readonly<Record<string, StateRule>>;

export type Operation = keyof typeof stateRules;

/** Throws Refusal if the state of the group does not allow the operation. */
export const checkState = (operation: Operation, { status }: GroupRow): void => {
  const { allowed, errorCode, others }: StateRule = stateRules[operation];
  if (allowed.includes(status)) return;
  throw new Refusal(...(others?.[status] ?? [400, errorCode]), `The group is ${status}.`);
};

export const invalidSchedule = (message: string): Refusal =>
  new Refusal(400, "InvalidScheduledDate", message);

/** The refusal of a time that is too far ahead; undefined for any other. */
export const tooFarAhead = (scheduled: number, now: number): Refusal | undefined =>
  scheduled > monthsAfter(now, maxMonthsAhead)
    ? invalidSchedule(`'scheduledDate' must lie within ${maxMonthsAhead} months.`)
    : undefined;

/** The group, scheduled; due work will send it. The caller stores it. */
export const schedule = (
  store: Store,
  group: GroupRow,
  scheduled: number,
  at: number,
): GroupRow => {
  store.scheduledJobs.add("send", scheduled, group.seq);
  const waiting: GroupRow = { ...group, status: "SCHEDULED", scheduled };
  return logged(waiting, at, "schedule accepted", { messageCount: countOf(waiting) });
};
