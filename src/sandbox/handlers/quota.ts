/** The daily quota, and asking for more. */
import type * as Declared from "../../contract/quota.ts";
import { type Handler, type Service, validationError } from "../service.ts";
import { recordIdOf } from "../store/ids.ts";
import type { QuotaRequestRow } from "../store/quotas.ts";
import { recordFilters, recordPage } from "./list-page.ts";
import { datesOf } from "./times.ts";

export const getQuota: Handler<"getQuota"> = (_input, { store, caller }) => {
  const row = store.quotas.read(caller.accountId);
  if (row === undefined) throw new Error(`There is no quota of ${caller.accountId}.`);
  return { quota: row.quota, accountId: row.accountId, ...datesOf(row) };
};

export const listQuotaRequests: Handler<"listQuotaRequests"> = ({ query = {} }, service) => {
  const { quotas } = service.store;
  const filters = recordFilters(query, ["handleKey", "status"]);
  const { rows, keys } = recordPage(query, service, {
    read: quotas.request,
    list: (page) => quotas.list({ ...page, filters }),
    idOf: ({ handleKey }) => handleKey,
  });
  return { ...keys, increaseQuotaList: rows.map(requestRecord) };
};

/** What the quota-request category of a file's reference is called. */
const category = "QUOTA_REQUEST";

export const requestQuota: Handler<"requestQuota"> = ({ body }, service) => {
  const { store, caller, now, assume, idSeed } = service;
  const { accountId } = caller;
  const { quota, requestedQuota = quota, reasonRequested, fileIds = [] } = body;
  if (requestedQuota === undefined) throw validationError("'requestedQuota' is missing.");
  const created = now.getTime();
  checkFiles(fileIds, service);
  for (const before of store.quotas.pending(accountId)) {
    const superseded = { status: "REJECTED", reasonRejected: "superseded" } as const;
    store.quotas.decide({ ...before, ...superseded, updated: created });
  }
  const row: QuotaRequestRow = {
    handleKey: recordIdOf("QT01IQ", store.counters.take("quotaRequest", 1), created, idSeed),
    accountId,
    status: "PENDING",
    requestedQuota,
    reasonRequested,
    reasonRejected: null,
    fileIds: JSON.stringify(fileIds),
    created,
    updated: created,
  };
  store.quotas.insert(row);
  for (const fileId of fileIds) {
    store.files.refer(fileId, { handleKey: row.handleKey, category, refId: null });
  }
  assume("quota-request");
  return requestRecord(row);
};

const checkFiles = (fileIds: readonly string[], { store, caller }: Service): void => {
  const wrong = fileIds.find((id) => store.files.read(id)?.accountId !== caller.accountId);
  if (wrong === undefined) return;
  throw validationError(`'fileIds' names no file of yours: '${wrong}'.`);
};

export const requestRecord = ({
  fileIds,
  created,
  updated,
  ...row
}: QuotaRequestRow): Declared.QuotaRequest => ({
  ...row,
  fileIds: JSON.parse(fileIds),
  ...datesOf({ created, updated }),
});
