/** What an account has: registered senders, blocked recipients, a daily quota. */
import type * as Declared from "../../contract/account.ts";
import { defaultRows } from "../../contract/endpoint.ts";
import { memberOf } from "../../json/read-json.ts";
import { type Handler, type Service, validationError } from "../service.ts";
import { recordIdOf, sealOf } from "../store/ids.ts";
import type { BlockRow } from "../store/phone-numbers.ts";
import type { QuotaRequestRow } from "../store/quotas.ts";
import { recordFilters } from "./filters.ts";
import { dated, datesOf, type PageInput, pageOf, recordPage } from "./records.ts";

/** The registration time shown for registered senders: they store no time of their own. */
const registered = datesOf({ created: 0, updated: 0 });

export const listSenders: Handler<"listSenders"> = (_input, { store, caller }) => ({
  accountId: caller.accountId,
  limit: 5,
  senderIds: store.senders.of(caller.accountId).map((phoneNumber) => ({
    handleKey: `SED19700101000000${sealOf(phoneNumber, 0, 0).slice(0, 15).toUpperCase()}`,
    phoneNumber,
    status: "ACTIVE",
    method: "ARS",
    expireAt: null,
    approvalDocuments: [],
    ...registered,
  })),
  limitationDocuments: [],
  ...registered,
});

type ByOperator = { readonly [K in "eq" | "like" | "gte" | "lte"]?: string | undefined };

/** What a query wants of a member: a bare value, or texts by operator. */
type Wanted = ByOperator | string | boolean | undefined;

/** Whether a member is as wanted; of a list, whether one of its items is. */
const isWanted = (member: unknown, wanted: Wanted): boolean => {
  if (wanted === undefined || member === wanted) return true;
  if (Array.isArray(member)) return member.includes(wanted);
  if (typeof member !== "string" || typeof wanted !== "object") return false;
  const { eq = member, like = "", gte = member, lte = member } = wanted;
  return member === eq && member.includes(like) && member >= gte && member <= lte;
};

const digits = (typed: string | undefined): string | undefined => typed?.replaceAll("-", "");

/** A page of the records whose members are as wanted. Throws Refusal 400 for a startKey that names no record. */
const pageAmong = <R extends object>(
  records: readonly R[],
  { startKey, limit = defaultRows }: PageInput,
  wanted: { readonly [K in keyof R]?: Wanted },
  idOf: (record: R) => string,
) => {
  const matches = (record: R): boolean =>
    Object.entries<Wanted>(wanted).every(([name, it]) => isWanted(memberOf(record, name), it));
  const at = startKey === undefined ? 0 : records.findIndex((it) => idOf(it) === startKey);
  if (at < 0) throw validationError(`'startKey' names no record: '${startKey}'.`);
  return pageOf(records.slice(at).filter(matches), limit, idOf);
};

const blocksOf = ({ store, caller }: Service, optedOut: number): BlockRow[] =>
  store.blocks.list(caller.accountId).filter((it) => it.optedOut === optedOut);

const blockIdOf = (prefix: string, { seq, created }: BlockRow, { idSeed }: Service): string =>
  recordIdOf(prefix, seq, created, idSeed);

export const listOptOuts: Handler<"listOptOuts"> = ({ query = {} }, service) => {
  const records = blocksOf(service, 1).map((row) => ({
    handleKey: blockIdOf("IM01BK", row, service),
    type: "DENIAL" as const,
    senderNumber: row.sender,
    recipientNumber: row.recipient,
    ...datesOf({ ...row, updated: row.created }),
  }));
  const { senderNumber, dateCreated } = query;
  const wanted = { senderNumber: digits(senderNumber), dateCreated };
  const { rows, keys } = pageAmong(records, query, wanted, (it) => it.handleKey);
  return { ...keys, blackList: rows };
};

/** The first number of each sender's group, which has its id; one group is for all senders. */
const firstBySender = (rows: readonly BlockRow[]): ReadonlyMap<string, BlockRow> =>
  new Map(rows.map((row) => [row.sender, row]));

export const listBlockGroups: Handler<"listBlockGroups"> = ({ query = {} }, service) => {
  const records = [...firstBySender(blocksOf(service, 0)).values()].map((row) => ({
    blockGroupId: blockIdOf("IM01BG", row, service),
    accountId: row.accountId,
    status: "ACTIVE",
    name: row.sender === "" ? "all senders" : row.sender,
    useAll: row.sender === "",
    senderNumbers: row.sender === "" ? [] : [row.sender],
    ...datesOf({ ...row, updated: row.created }),
  }));
  const { blockGroupId, useAll, name, status, senderNumber } = query;
  const wanted = { blockGroupId, useAll, name, status, senderNumbers: digits(senderNumber) };
  const { rows, keys } = pageAmong(records, query, wanted, (it) => it.blockGroupId);
  return { ...keys, blockGroups: rows };
};

export const listBlockNumbers: Handler<"listBlockNumbers"> = ({ query = {} }, service) => {
  const blocked = blocksOf(service, 0);
  const first = firstBySender(blocked);
  const records = blocked.map((row) => ({
    blockNumberId: blockIdOf("IM01BN", row, service),
    accountId: row.accountId,
    memo: row.memo,
    phoneNumber: row.recipient,
    blockGroupIds: [blockIdOf("IM01BG", first.get(row.sender) ?? row, service)],
    ...datesOf({ ...row, updated: row.created }),
  }));
  const { blockNumberId, phoneNumber, blockGroupId: blockGroupIds, memo } = query;
  const wanted = { blockNumberId, phoneNumber: digits(phoneNumber), blockGroupIds, memo };
  const { rows, keys } = pageAmong(records, query, wanted, (it) => it.blockNumberId);
  return { ...keys, blockNumbers: rows };
};

export const getQuota: Handler<"getQuota"> = (_input, { store, caller }) => {
  const { accountId, quota } = store.accounts.get(caller.accountId);
  const dates = store.quotas.read(accountId);
  if (dates === undefined) throw new Error(`There is no quota of ${accountId}.`);
  return { quota, accountId, ...datesOf(dates) };
};

export const listQuotaRequests: Handler<"listQuotaRequests"> = ({ query = {} }, service) => {
  const filters = recordFilters(query, ["handleKey", "status"]);
  const { rows, keys } = recordPage(query, service, filters, service.store.quotaRequests);
  return { ...keys, increaseQuotaList: rows.map(requestRecord) };
};

/** The category of quota requests in a file's reference. */
const category = "QUOTA_REQUEST";

export const requestQuota: Handler<"requestQuota"> = ({ body }, service) => {
  const { store, caller, now, assume, idSeed } = service;
  const { accountId } = caller;
  const { quota, requestedQuota = quota, reasonRequested, fileIds = [] } = body;
  if (requestedQuota === undefined) throw validationError("'requestedQuota' is missing.");
  checkFiles(fileIds, service);
  for (const before of store.quotaRequests.pending(accountId)) {
    const superseded = { status: "REJECTED", reasonRejected: "superseded" } as const;
    store.quotaRequests.update({ ...before, ...superseded, updated: now });
  }
  const row: QuotaRequestRow = {
    handleKey: recordIdOf("QT01IQ", store.nextNumber("quotaRequest"), now, idSeed),
    accountId,
    status: "PENDING",
    requestedQuota,
    reasonRequested,
    reasonRejected: null,
    fileIds,
    created: now,
    updated: now,
  };
  store.quotaRequests.insert(row);
  for (const fileId of fileIds) {
    store.files.addReference(fileId, { handleKey: row.handleKey, category, refId: null });
  }
  assume("quota-request");
  return requestRecord(row);
};

const checkFiles = (fileIds: readonly string[], { store, caller }: Service): void => {
  const wrong = fileIds.find((id) => store.files.read(id)?.accountId !== caller.accountId);
  if (wrong === undefined) return;
  throw validationError(`'fileIds' names no file of yours: '${wrong}'.`);
};

export const requestRecord = (row: QuotaRequestRow): Declared.QuotaRequest => dated(row);
