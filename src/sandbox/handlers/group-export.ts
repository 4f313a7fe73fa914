/** The list of groups as a spreadsheet. */
import type { exportGroups as ExportGroups } from "../../contract/groups.ts";
import type { Group } from "../../contract/message-records.ts";
import type { Handler } from "../service.ts";
import { groupConditions, groupPlace } from "./group-filter.ts";
import { groupRecord } from "./group-record.ts";
import { type Cell, checkSheetRows, isOfAnother, spreadsheet } from "./spreadsheet.ts";

/** Rows of a sheet without its headings: what xlsx can hold. */
const mostRows = 1_048_575;

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

export const exportGroups: Handler<typeof ExportGroups> = ({ query = {} }, service) => {
  const { store, caller } = service;
  const { startKey, limit = mostRows, subAccountId } = query;
  checkSheetRows(limit, mostRows);
  const idSeed = store.settings.get("idSeed");
  service.assume("group-columns");
  const rows = store.listGroups({
    accountId: caller.accountId,
    conditions: groupConditions(query, idSeed, service.now),
    from: startKey === undefined ? undefined : groupPlace(startKey, service, idSeed),
    limit: isOfAnother(subAccountId, caller) ? 0 : limit,
  });
  const cells = Object.values(columns);
  return spreadsheet(
    Object.keys(columns),
    rows.map((row) => {
      const record = groupRecord(row, idSeed);
      return cells.map((of) => of(record));
    }),
  );
};
