/** Groups as records: made, read, listed, deleted; their list as a spreadsheet. */
import { defaultRows } from "../../contract/endpoint.ts";
import type { Group } from "../../contract/message-records.ts";
import { checkApp } from "../rules/apps.ts";
import { checkState } from "../rules/group-states.ts";
import { logged, newGroup } from "../rules/groups.ts";
import { type Handler, Refusal, validationError } from "../service.ts";
import type { GroupRow } from "../store/groups.ts";
import { idOf } from "../store/ids.ts";
import { groupConditions, groupPlace } from "./filters.ts";
import { groupOf, groupRecord, groupRecords } from "./group-record.ts";
import { pageOf } from "./list-page.ts";
import { type Cell, checkSheetRows, isOfAnother, spreadsheet } from "./spreadsheet.ts";

export const createGroup: Handler<"createGroup"> = ({ body }, service) => {
  const { store, caller, now } = service;
  const { appId, sdkVersion, osPlatform, customFields = {} } = body;
  checkFields(customFields);
  const wish = {
    accountId: caller.accountId,
    address: caller.address,
    prepaid: store.accounts.read(caller.accountId)?.prepaid ?? 1,
    strict: body.strict ?? false,
    allowDuplicates: body.allowDuplicates ?? false,
    agent: { sdkVersion, osPlatform },
    customFields,
  };
  const at = now.getTime();
  const seq = store.counters.take("group", 1);
  const app = refusalOr(() => checkApp(store, appId));
  if (app instanceof Refusal) {
    // The group stays, and its log says why it failed.
    const group = newGroup(seq, wish, at);
    store.groups.insert(logged({ ...group, status: "FAILED" }, at, "invalid app id"));
    throw kept(app);
  }
  const group = newGroup(seq, { ...wish, app }, at);
  store.groups.insert(group);
  service.assume("group-hint");
  return groupRecord(group, store);
};

/** What came back, or the refusal that was thrown. */
const refusalOr = <T>(act: () => T): T | Refusal => {
  try {
    return act();
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
};

const kept = ({ status, errorCode, message }: Refusal): Refusal =>
  new Refusal(status, errorCode, message, { keep: true });

/** Characters of a group's custom field. */
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
  const deleted = logged({ ...group, status: "DELETED" }, now.getTime(), "message group deleted");
  store.groups.update(deleted);
  return groupRecord(deleted, store);
};

export const listGroups: Handler<"listGroups"> = ({ query = {} }, service) => {
  const { store, caller, assume, idSeed } = service;
  const { startKey = null, limit = defaultRows } = query;
  const found = store.groups.list({
    accountId: caller.accountId,
    conditions: groupConditions(query, idSeed, service.now),
    from: startKey === null ? undefined : groupPlace(startKey, service, idSeed),
    limit: limit + 1,
  });
  const groupId = ({ seq, created }: GroupRow): string => idOf("G4V", seq, created, idSeed);
  const { rows, keys } = pageOf(found, limit, groupId);
  assume("next-key");
  assume("deleted-groups");
  const groupList = Object.fromEntries(
    rows.map(groupRecords(store)).map((record) => [record.groupId, record]),
  );
  return { startKey, nextKey: keys.nextKey, limit, groupList };
};

/** Rows of a sheet without its headings: what xlsx can hold. */
const maxSheetRows = 1_048_575;

const columns: Readonly<Record<string, (group: Group) => Cell>> = {
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
  const { store, caller, idSeed } = service;
  const { startKey, limit = maxSheetRows, subAccountId } = query;
  checkSheetRows(limit, maxSheetRows);
  service.assume("group-columns");
  const rows = store.groups.list({
    accountId: caller.accountId,
    conditions: groupConditions(query, idSeed, service.now),
    from: startKey === undefined ? undefined : groupPlace(startKey, service, idSeed),
    limit: isOfAnother(subAccountId, caller) ? 0 : limit,
  });
  const cells = Object.values(columns);
  return spreadsheet(
    Object.keys(columns),
    rows.map(groupRecords(store)).map((record) => cells.map((of) => of(record))),
  );
};
