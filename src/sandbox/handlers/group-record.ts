/** A stored group as answers show it, and how a path names it. */
import type { Group } from "../../contract/message-records.ts";
import { once } from "../rules/alimtalk.ts";
import { profitOf } from "../rules/apps.ts";
import { isRetained } from "../rules/calendar.ts";
import { chargeOf, countOf, perType } from "../rules/groups.ts";
import type { Service } from "../service.ts";
import type { GroupRow } from "../store/groups.ts";
import { idOf, seqOf } from "../store/ids.ts";
import type { Store } from "../store/store.ts";
import { ownRecord } from "./list-page.ts";
import { datesOf, timeOrNull } from "./times.ts";

/** A group as everything but a list answers it: with a `scheduledDate` only where one is set. */
export const groupRecord = (group: GroupRow, store: Store): Group => {
  const { scheduledDate, ...record } = groupRecords(store)(group);
  return scheduledDate === null ? record : { ...record, scheduledDate };
};

/** The records of many groups; the prices of a country are read once. */
export const groupRecords = (store: Store): ((group: GroupRow) => Group) => {
  const idSeed = store.settings.get("idSeed");
  const pricesIn = once((country) => store.sendersAndPrices.price(country)?.units ?? {});
  const isDropped = store.settings.get("groupFields") === "dropped";
  return (group) => ({
    ...recordOf(group, idSeed, pricesIn),
    ...(isDropped && { customFields: {} }),
  });
};

const recordOf = (
  group: GroupRow,
  idSeed: number,
  pricesIn: (country: string) => Readonly<Record<string, number>>,
): Group => {
  const groupId = idOf("G4V", group.seq, group.created, idSeed);
  const charge = chargeOf(group);
  return {
    groupId,
    _id: groupId,
    accountId: group.accountId,
    apiVersion: "4",
    status: group.status,
    ...datesOf(group),
    dateSent: timeOrNull(group.sent),
    dateCompleted: timeOrNull(group.completed),
    scheduledDate: timeOrNull(group.scheduled),
    isRefunded: group.refunded > 0,
    flagUpdated: false,
    prepaid: group.prepaid === 1,
    strict: group.strict === 1,
    allowDuplicates: group.allowDuplicates === 1,
    masterAccountId: null,
    sdkVersion: group.sdkVersion,
    osPlatform: group.osPlatform,
    hint: group.hint,
    serviceMethod: "MT",
    customFields: JSON.parse(group.customFields),
    count: countOf(group),
    countForCharge: perType((key) => ({ ...charge[key] })),
    balance: walletOf(group, "balance"),
    point: walletOf(group, "point"),
    app: { profit: appProfit(group), appId: group.appId, version: group.appVersion },
    log: JSON.parse(group.log),
    price: Object.fromEntries(countriesOf(group).map((country) => [country, pricesIn(country)])),
  };
};

const appProfit = ({ appProfit: json }: GroupRow): Group["app"]["profit"] => {
  const profit: Readonly<Record<string, number>> = profitOf(json);
  return perType((key) => profit[key] ?? 0);
};

/** `sum` stays 0 until the group is COMPLETE. */
const walletOf = (group: GroupRow, name: "balance" | "point") => {
  const requested = group[`${name}Requested`];
  const replacement = group[`${name}Replacement`];
  const refund = group[`${name}Refund`];
  const sum = group.status === "COMPLETE" ? requested + replacement - refund : 0;
  return { requested, replacement, refund, sum };
};

/** Countries that a group was sent to; none before. */
const countriesOf = (group: GroupRow): string[] =>
  group.sent === null
    ? []
    : [...new Set(Object.values(chargeOf(group)).flatMap((countries) => Object.keys(countries)))];

/** Throws Refusal: 404 for an unknown or expired id, 403 for another account's. */
export const groupOf = (groupId: string, service: Service): GroupRow => {
  const { store, now, idSeed } = service;
  const group = store.groups.bySeq(seqOf("G4V", groupId, idSeed));
  const isShown = group !== undefined && isRetained(group.created, now);
  return ownRecord(isShown ? group : undefined, `group '${groupId}'`, service);
};
