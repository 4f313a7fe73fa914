/**
 * How records are shown: whose they are, their times, pages of lists, sheets. A list handler reads one row more
 * than the page holds and shows what `pageOf` returns.
 */
import { buffer } from "node:stream/consumers";
import { defaultRows } from "../../contract/endpoint.ts";
import type { SheetCell } from "../../output/workbook.ts";
import { timeOf } from "../clock.ts";
import { type Caller, Refusal, type Service, validationError } from "../service.ts";
import type { AccountRow } from "../store/accounts.ts";
import { idOf, seqOf } from "../store/ids.ts";
import type { Cursor, Filter, PageQuery, Times } from "../store/rows.ts";

/** A page from one row more than it holds, with the ids of its first row and of the next page's. */
export const pageOf = <R>(rows: readonly R[], limit: number, idOf: (row: R) => string) => {
  const [startKey = null, nextKey = null] = [rows[0], rows[limit]].map((row) => row && idOf(row));
  return { rows: rows.slice(0, limit), keys: { limit, startKey, nextKey } };
};

export interface PageInput {
  readonly startKey?: string | undefined;
  readonly limit?: number | undefined;
}

/** A table of records in the order of their ids. */
interface RecordTable<R, C extends string> {
  readonly read: (id: string) => { readonly accountId: string } | undefined;
  readonly page: (query: PageQuery<C>) => R[];
  readonly idOf: (row: R) => string;
}

/** The caller's page of such a table. */
export const recordPage = <R, C extends string>(
  { startKey, limit = defaultRows }: PageInput,
  service: Service,
  filters: readonly Filter<C>[],
  { read, page, idOf }: RecordTable<R, C>,
) => {
  const { accountId } = service.caller;
  pageStart(startKey, "record", service, read);
  return pageOf(page({ accountId, filters, from: startKey, limit: limit + 1 }), limit, idOf);
};

/** A table of numbered records in the order of time; `list` may read them by columns of `C`. */
interface NumberedTable<R, C extends string> {
  readonly kind: "group" | "message" | "withdrawal";
  readonly read: (seq: number) => (R & { readonly accountId: string }) | undefined;
  readonly list: (query: PageQuery<C, Cursor>) => R[];
}

/** The caller's page of such a table; its first key is the given one. */
export const numberedPage = <R extends Cursor, C extends string>(
  { startKey, limit = defaultRows }: PageInput,
  service: Service,
  filters: readonly Filter<C>[],
  { kind, read, list }: NumberedTable<R, C>,
) => {
  const { caller, idSeed } = service;
  const from = pageStart(startKey, kind, service, (key) => read(seqOf(kind, key, idSeed)));
  const found = list({ accountId: caller.accountId, filters, from, limit: limit + 1 });
  const { rows, keys } = pageOf(found, limit, (row) => idOf(kind, row, idSeed));
  return { rows, keys: { startKey: startKey ?? null, nextKey: keys.nextKey, limit } };
};

/** The caller's record that a page begins with, if any. Throws Refusal 400 for a startKey that names none of theirs. */
const pageStart = <R extends { readonly accountId: string }>(
  startKey: string | undefined,
  name: string,
  { caller, assume }: Service,
  read: (startKey: string) => R | undefined,
): R | undefined => {
  if (startKey === undefined) return undefined;
  const row = read(startKey);
  if (row?.accountId === caller.accountId) return row;
  assume("start-key");
  throw validationError(`'startKey' names no ${name}: '${startKey}'.`);
};

/** The caller's own record. Throws Refusal 404 for a missing one, 403 for another account's. */
export const ownRecord = <R extends { readonly accountId: string }>(
  row: R | undefined,
  name: string,
  { caller }: Service,
  errorCode = "ResourceNotFound",
): R => {
  if (row === undefined) throw new Refusal(404, errorCode, `There is no ${name}.`);
  if (row.accountId === caller.accountId) return row;
  throw new Refusal(403, "Forbidden", `The ${name} belongs to another account.`);
};

export const ownAccount = ({ store, caller }: Service): AccountRow =>
  store.accounts.get(caller.accountId);

export const datesOf = (row: Times) => ({
  dateCreated: timeOf(row.created),
  dateUpdated: timeOf(row.updated),
});

/** A row with its times as answers show them. */
export const dated = <R extends Times>({ created, updated, ...row }: R) => ({
  ...row,
  ...datesOf({ created, updated }),
});

export const timeOrNull = (ms: number | null): string | null => (ms === null ? null : timeOf(ms));

/** An xlsx of one sheet. */
export const spreadsheet = async (
  headings: readonly string[],
  rows: readonly (readonly SheetCell[])[],
): Promise<Uint8Array> => {
  const { workbook } = await import("../../output/workbook.ts");
  const widths = headings.map(() => 16);
  return buffer(workbook([{ name: "Sheet1", widths, rows: [headings, ...rows] }]));
};

/** Throws Refusal 400 for an invalid number of rows of a sheet: the rule of every page. */
export const checkSheetRows = (limit: number, max: number): void => {
  if (Number.isInteger(limit) && limit >= 1 && limit <= max) return;
  throw validationError(`'limit' must be a whole number from 1 to ${max}, not ${limit}.`);
};

/** There are no sub-accounts: a query for one, or for another account, finds nothing, never the caller's own. */
export const isOtherAccount = (named: string | undefined, { accountId }: Caller): boolean =>
  named !== undefined && named !== accountId;
