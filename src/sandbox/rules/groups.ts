/** How a group begins, takes messages in, and writes its log. */

import { isKakaoType } from "../../message/type.ts";
import type { AppRow } from "../store/apps.ts";
import type { AcceptedCount, RemovedMessage } from "../store/group-messages.ts";
import type { GroupRow } from "../store/groups.ts";
import type { NewMessage } from "../store/messages.ts";

/** What a call says of the group that it makes. */
export interface NewGroupOptions {
  readonly accountId: string;
  /** Network address of the caller, for the log. */
  readonly address: string;
  readonly prepaid: number;
  readonly strict: boolean;
  readonly allowDuplicates: boolean;
  readonly agent: Agent;
  readonly customFields?: Readonly<Record<string, string>> | undefined;
  /** The app that it is sent through. */
  readonly app?: AppRow | undefined;
}

export interface Agent {
  readonly sdkVersion?: string | null | undefined;
  readonly osPlatform?: string | null | undefined;
}

/** A group without messages, PENDING. */
export const newGroup = (seq: number, wish: NewGroupOptions, at: number): GroupRow => {
  const { accountId, address, prepaid, strict, allowDuplicates, agent, app, customFields } = wish;
  const group: GroupRow = {
    ...empty,
    seq,
    accountId,
    prepaid,
    strict: Number(strict),
    allowDuplicates: Number(allowDuplicates),
    sdkVersion: agent.sdkVersion ?? null,
    osPlatform: agent.osPlatform ?? null,
    customFields: JSON.stringify(customFields ?? {}),
    appId: app?.appId ?? null,
    appVersion: app?.appVersion ?? null,
    appProfit: app?.profit ?? null,
    created: at,
    updated: at,
  };
  return logged(group, at, `[${address}] message group created`);
};

const empty: GroupRow = {
  seq: 0,
  accountId: "",
  status: "PENDING",
  prepaid: 0,
  strict: 0,
  allowDuplicates: 0,
  sdkVersion: null,
  osPlatform: null,
  created: 0,
  updated: 0,
  appId: null,
  appVersion: null,
  appProfit: null,
  customFields: "{}",
  hint: null,
  scheduled: null,
  sent: null,
  completed: null,
  registeredSuccess: 0,
  registeredFailed: 0,
  sentTotal: 0,
  sentPending: 0,
  sentSuccess: 0,
  sentFailed: 0,
  sentReplacement: 0,
  refunded: 0,
  charge: "{}",
  price: 0,
  balanceRequested: 0,
  balanceReplacement: 0,
  balanceRefund: 0,
  pointRequested: 0,
  pointReplacement: 0,
  pointRefund: 0,
  log: "[]",
  replaceable: 0,
};

/** Accepted messages by type and country: `{ sms: { "82": 3 } }`. */
export type Charge = Readonly<Record<string, Readonly<Record<string, number>>>>;

export const chargeOf = (group: GroupRow): Charge => JSON.parse(group.charge);

/** The group with a line in its log. */
export const logged = (
  group: GroupRow,
  at: number,
  message: string,
  members: Readonly<Record<string, unknown>> = {},
): GroupRow => {
  const entry = JSON.stringify({ createAt: new Date(at).toISOString(), message, ...members });
  const before = group.log === "[]" ? "[" : `${group.log.slice(0, -1)},`;
  return { ...group, log: `${before}${entry}]`, updated: at };
};

/** The group with these messages counted, priced and logged: one line a type and country. */
export const withMessages = (
  group: GroupRow,
  messages: readonly NewMessage[],
  at: number,
): GroupRow => {
  const added: Counts = {};
  let accepted = 0;
  let price = 0;
  for (const message of messages) {
    if (message.statusCode !== "2000") continue;
    accepted += 1;
    price += message.price;
    add(added, message, 1);
  }
  const counted: GroupRow = {
    ...group,
    registeredSuccess: group.registeredSuccess + accepted,
    registeredFailed: group.registeredFailed + messages.length - accepted,
    price: group.price + price,
    charge: JSON.stringify(sum(chargeOf(group), added)),
    replaceable: messages.some(mayBeReplaced) ? 1 : group.replaceable,
    updated: at,
  };
  return withLines(counted, added, at);
};

/** Kakao messages, and those that bring replacements along, may be replaced when they fail. */
const mayBeReplaced = ({ type, options }: NewMessage): boolean =>
  isKakaoType(type) || options?.replacements !== undefined;

/** The group with messages charged that are sent in place of others. */
export const addCharge = (group: GroupRow, messages: readonly NewMessage[]): GroupRow => {
  const added: Counts = {};
  for (const message of messages) add(added, message, 1);
  return { ...group, charge: JSON.stringify(sum(chargeOf(group), added)) };
};

/** The group without messages that were removed from it. */
export const withoutMessages = (
  group: GroupRow,
  removed: readonly RemovedMessage[],
  at: number,
): GroupRow => {
  const taken: Counts = {};
  let accepted = 0;
  let price = 0;
  for (const message of removed) {
    if (message.statusCode !== "2000") continue;
    accepted += 1;
    price += message.price;
    add(taken, message, -1);
  }
  return {
    ...group,
    registeredSuccess: group.registeredSuccess - accepted,
    registeredFailed: group.registeredFailed - (removed.length - accepted),
    price: group.price - price,
    charge: JSON.stringify(positive(sum(chargeOf(group), taken))),
    updated: at,
  };
};

/** A country that nothing is charged for has no key. */
const positive = (charge: Charge): Charge =>
  Object.fromEntries(
    Object.entries(charge).map(([type, countries]) => [
      type,
      Object.fromEntries(Object.entries(countries).filter(([, count]) => count > 0)),
    ]),
  );

/** The group with messages accepted again that were refused when it was stopped. */
export const withReopened = (
  group: GroupRow,
  counts: readonly AcceptedCount[],
  at: number,
): GroupRow => {
  const charge: Counts = {};
  for (const it of counts) add(charge, it, it.count);
  const accepted = counts.reduce((total, it) => total + it.count, 0);
  return {
    ...group,
    registeredSuccess: accepted,
    registeredFailed: group.registeredSuccess + group.registeredFailed - accepted,
    price: counts.reduce((total, it) => total + it.price, 0),
    charge: JSON.stringify(charge),
    updated: at,
  };
};

const sum = (left: Charge, right: Charge): Charge => {
  const total: Counts = {};
  for (const charge of [left, right]) {
    for (const [type, countries] of Object.entries(charge)) {
      for (const [country, count] of Object.entries(countries))
        add(total, { type, country }, count);
    }
  }
  return total;
};

type Counts = Record<string, Record<string, number>>;

const add = (
  total: Counts,
  { type, country }: { readonly type: string; readonly country: string },
  count: number,
): void => {
  const key = type.toLowerCase();
  const perCountry = total[key] ?? {};
  perCountry[country] = (perCountry[country] ?? 0) + count;
  total[key] = perCountry;
};

const withLines = (group: GroupRow, added: Charge, at: number): GroupRow => {
  let result = group;
  for (const [type, countries] of Object.entries(added)) {
    for (const [country, count] of Object.entries(countries)) {
      const line = `country(${country}) ${type.toUpperCase()} ${count} message(s) added`;
      result = logged(result, at, line);
    }
  }
  return result;
};

/** The `count` of a group as answers show it. */
export const countOf = (group: GroupRow) => ({
  total: group.registeredSuccess + group.registeredFailed,
  sentTotal: group.sentTotal,
  sentFailed: group.sentFailed,
  sentSuccess: group.sentSuccess,
  sentPending: group.sentPending,
  sentReplacement: group.sentReplacement,
  refund: group.refunded,
  registeredFailed: group.registeredFailed,
  registeredSuccess: group.registeredSuccess,
});
