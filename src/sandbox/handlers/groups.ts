/** Groups as records: made, read, listed, deleted. */
import { defaultRows } from "../../contract/endpoint.ts";
import type {
  createGroup as CreateGroup,
  deleteGroup as DeleteGroup,
  listGroups as ListGroups,
  readGroup as ReadGroup,
} from "../../contract/groups.ts";
import { checkApp } from "../rules/apps.ts";
import { checkState } from "../rules/group-states.ts";
import { logged, newGroup } from "../rules/groups.ts";
import { type Handler, Refusal } from "../service.ts";
import type { GroupRow } from "../store/groups.ts";
import { idOf } from "../store/ids.ts";
import { groupConditions, groupPlace } from "./group-filter.ts";
import { groupOf } from "./group-lookup.ts";
import { groupRecord } from "./group-record.ts";
import { pageOf } from "./list-page.ts";

export const createGroup: Handler<typeof CreateGroup> = ({ body }, service) => {
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
  const app = tried(() => checkApp(store, appId));
  if (app instanceof Refusal) {
    // The group stays, and its log says why it failed.
    const group = newGroup(seq, wish, at);
    store.groups.insert(logged({ ...group, status: "FAILED" }, at, "invalid app id"));
    throw kept(app);
  }
  const group = newGroup(seq, { ...wish, app }, at);
  store.groups.insert(group);
  service.assume("group-hint");
  return groupRecord(group, store.settings.get("idSeed"));
};

/** What came back, or the refusal that was thrown. */
const tried = <T>(act: () => T): T | Refusal => {
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
const longest = { name: 30, value: 100 };

const checkFields = (fields: Readonly<Record<string, string>>): void => {
  for (const [name, value] of Object.entries(fields)) {
    if (name.length <= longest.name && value.length <= longest.value) continue;
    const text = `'customFields': a name may have ${longest.name} characters and a value ${longest.value}.`;
    throw new Refusal(400, "ValidationError", text);
  }
};

export const readGroup: Handler<typeof ReadGroup> = ({ params }, service) =>
  groupRecord(groupOf(params.groupId, service), service.store.settings.get("idSeed"));

export const deleteGroup: Handler<typeof DeleteGroup> = ({ params }, service) => {
  const { store, now } = service;
  const group = groupOf(params.groupId, service);
  checkState("delete", group);
  const deleted = logged({ ...group, status: "DELETED" }, now.getTime(), "message group deleted");
  store.groups.update(deleted);
  return groupRecord(deleted, store.settings.get("idSeed"));
};

export const listGroups: Handler<typeof ListGroups> = ({ query = {} }, service) => {
  const { store, caller, assume } = service;
  const { startKey = null, limit = defaultRows } = query;
  const idSeed = store.settings.get("idSeed");
  const found = store.listGroups({
    accountId: caller.accountId,
    conditions: groupConditions(query, idSeed, service.now),
    from: startKey === null ? undefined : groupPlace(startKey, service, idSeed),
    limit: limit + 1,
  });
  const groupId = ({ seq, created }: GroupRow): string => idOf("G4V", seq, created, idSeed);
  const { rows, keys } = pageOf(found, limit, groupId);
  assume("next-key");
  assume("deleted-groups");
  const groupList = Object.fromEntries(rows.map((row) => [groupId(row), groupRecord(row, idSeed)]));
  return { startKey, nextKey: keys.nextKey, limit, groupList };
};
