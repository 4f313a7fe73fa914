/** Groups as records: created, read, listed, deleted; their list as a spreadsheet. */
import type { Input, QueryOf } from "../../contract/endpoint.ts";
import type * as Declared from "../../contract/groups.ts";
import type { Group } from "../../contract/message-records.ts";
import type { SheetCell } from "../../output/workbook.ts";
import { checkApp, profitOf } from "../rules/apps.ts";
import { chargeOf, checkState, countOf, logged, newGroup, perType } from "../rules/groups.ts";
import { memoize } from "../rules/lookups.ts";
import { isRetained } from "../rules/retention.ts";
import { type Handler, keeping, Refusal, type Service, validationError } from "../service.ts";
import type { GroupRow } from "../store/groups.ts";
import { idOf, seqOf } from "../store/ids.ts";
import type { Store } from "../store/store.ts";
import { groupFilters } from "./message-filters.ts";
import {
  checkSheetRows,
  datesOf,
  isOtherAccount,
  numberedPage,
  ownRecord,
  spreadsheet,
  timeOrNull,
} from "./records.ts";

export const createGroup: Handler<"createGroup"> = ({ body }, service) => {
  const { store } = service;
  checkFields(body.customFields ?? {});
  const group = newGroup(service, body, appFor(body, service));
  store.groups.insert(group);
  service.assume("group-hint");
  return groupRecord(group, store);
};

/** The app of a new group. If it is refused, a group stays, and its log says why it failed. */
const appFor = (body: Input<typeof Declared.createGroup>["body"], service: Service) => {
  const { store, now } = service;
  try {
    return checkApp(store, body.appId);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const failed = { ...newGroup(service, body), status: "FAILED" } as const;
    store.groups.insert(logged(failed, now, "invalid app id"));
    throw keeping(error);
  }
};

/** The most characters of a group's custom field. */
const maxLength = { name: 30, value: 100 };

const checkFields = (fields: Readonly<Record<string, string>>): void => {
  for (const [name, value] of Object.entries(fields)) {
    if (name.length <= maxLength.name && value.length <= maxLength.value) continue;
    const limits = `a name may have ${maxLength.name} characters and a value ${maxLength.value}`;
    throw validationError(`'customFields': ${limits}.`);
  }
};

export const readGroup: Handler<"readGroup"> = ({ params }, service) =>
  groupRecord(groupOf(params.groupId, service), service.store);

export const deleteGroup: Handler<"deleteGroup"> = ({ params }, service) => {
  const { store, now } = service;
  const group = groupOf(params.groupId, service);
  checkState("delete", group);
  const deleted = logged({ ...group, status: "DELETED" }, now, "message group deleted");
  store.groups.update(deleted);
  return groupRecord(deleted, store);
};

export const listGroups: Handler<"listGroups"> = ({ query = {} }, service) => {
  const { store, assume } = service;
  const { rows, keys } = groupPage(query, service);
  assume("next-key");
  assume("deleted-groups");
  const records = rows.map(groupRecords(store));
  const groupList = Object.fromEntries(records.map((it) => [it.groupId, it]));
  return { ...keys, groupList };
};

const groupPage = (query: QueryOf<typeof Declared.listGroups>, service: Service) => {
  const table = { kind: "group", ...service.store.groups } as const;
  return numberedPage(query, service, groupFilters(query, service), table);
};

/** Rows of a sheet without its headings: what xlsx can hold. */
const maxSheetRows = 1_048_575;

const columns: Readonly<Record<string, (group: Group) => SheetCell>> = {
  groupId: (group) => group.groupId,
  status: (group) => group.status,
  dateCreated: (group) => group.dateCreated,
  dateSent: (group) => group.dateSent,
  dateCompleted: (group) => group.dateCompleted,
  "count.total": (group) => group.count.total,
  "count.sentSuccess": (group) => group.count.sentSuccess,
  "count.sentFailed": (group) => group.count.sentFailed,
  "count.registeredFailed": (group) => group.count.registeredFailed,
  "balance.requested": (group) => group.balance.requested,
  "point.requested": (group) => group.point.requested,
};

export const exportGroups: Handler<"exportGroups"> = ({ query = {} }, service) => {
  const { store, caller } = service;
  const { limit = maxSheetRows, subAccountId } = query;
  checkSheetRows(limit, maxSheetRows);
  service.assume("group-columns");
  const shown = isOtherAccount(subAccountId, caller) ? 0 : limit;
  const { rows } = groupPage({ ...query, limit: shown }, service);
  const cells = Object.values(columns);
  return spreadsheet(
    Object.keys(columns),
    rows.map(groupRecords(store)).map((record) => cells.map((of) => of(record))),
  );
};

/** A group as all answers but lists show it: with a `scheduledDate` only if one is set. */
export const groupRecord = (group: GroupRow, store: Store): Group => {
  const { scheduledDate, ...record } = groupRecords(store)(group);
  return scheduledDate === null ? record : { ...record, scheduledDate };
};

/** The records of many groups; reads the prices of each country once. */
const groupRecords = (store: Store): ((group: GroupRow) => Group) => {
  const idSeed = store.settings.get("idSeed");
  const pricesIn = memoize((country) => store.prices.read(country)?.units ?? {});
  const isDropped = store.settings.get("groupFields") === "dropped";
  return (group) => {
    const groupId = idOf("group", group, idSeed);
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
      customFields: isDropped ? {} : JSON.parse(group.customFields),
      count: countOf(group),
      countForCharge: perType((key) => ({ ...charge[key] })),
      balance: walletOf(group, "balance"),
      point: walletOf(group, "point"),
      app: { profit: appProfit(group), appId: group.appId, version: group.appVersion },
      log: JSON.parse(group.log),
      price: Object.fromEntries(countriesOf(group).map((country) => [country, pricesIn(country)])),
    };
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
  const group = store.groups.read(seqOf("group", groupId, idSeed));
  const isShown = group !== undefined && isRetained(group.created, now);
  return ownRecord(isShown ? group : undefined, `group '${groupId}'`, service);
};
