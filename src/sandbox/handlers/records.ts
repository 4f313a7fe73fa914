/**
 * How records are shown: their times, pages of lists, sheets. A list handler reads one row more than the
 * page holds and shows what `pageOf` returns.
 */
import { buffer } from "node:stream/consumers";
import { defaultRows } from "../../contract/endpoint.ts";
import { type SheetCell, workbook } from "../../output/workbook.ts";
import { timeOf } from "../clock.ts";
import { type Caller, Refusal, type Service, validationError } from "../service.ts";
import type { Filter, FilterOperator, PageQuery } from "../store/rows.ts";

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

/** The caller's page of such a table. Throws Refusal 400 for a startKey that names no record of theirs. */
export const recordPage = <R, C extends string>(
  { startKey, limit = defaultRows }: PageInput,
  { caller: { accountId } }: Service,
  filters: readonly Filter<C>[],
  { read, page, idOf }: RecordTable<R, C>,
) => {
  if (startKey !== undefined && read(startKey)?.accountId !== accountId)
    throw validationError(`'startKey' names no record: '${startKey}'.`);
  return pageOf(page({ accountId, filters, from: startKey, limit: limit + 1 }), limit, idOf);
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

/** A bare value, or texts by operator. */
type Given =
  | string
  | number
  | boolean
  | { readonly [K in FilterOperator]?: string | undefined }
  | undefined;

/** The filters of a list of records: the columns of these names, and both times. */
export const recordFilters = <C extends string>(
  query: { readonly [K in C | "dateCreated" | "dateUpdated"]?: Given },
  names: readonly C[],
): Filter<C | "created" | "updated">[] => [
  ...names.flatMap((name): Filter<C>[] => valueFilters(name, query[name])),
  ...timeFilters("created", query.dateCreated),
  ...timeFilters("updated", query.dateUpdated),
];

/** The filters that a value means; texts by operator go through `read`. */
export const valueFilters = <C extends string>(
  column: C,
  given: Given,
  read: (text: string) => string | number = (text) => text,
): Filter<C>[] => {
  if (given === undefined) return [];
  if (typeof given === "boolean" || typeof given === "number")
    return [{ column, is: "eq", value: Number(given) }];
  const byOperator = typeof given === "string" ? { eq: given } : given;
  return operators.flatMap((is) => {
    const text = byOperator[is];
    return text === undefined ? [] : [{ column, is, value: read(text) }];
  });
};

const operators = ["eq", "ne", "like", "gt", "gte", "lt", "lte"] as const;

/** Throws Refusal 400 for a word, in either case, that is none of these. */
export const rejectUnknown = (name: string, word: string, known: readonly string[]): void => {
  if (known.includes(word.toUpperCase())) return;
  throw validationError(`'${name}' must be one of ${known.join(", ")}, not '${word}'.`);
};

/** Filters by time: full instants in, milliseconds out. */
export const timeFilters = <C extends string>(column: C, given: Given): Filter<C>[] =>
  valueFilters(column, given, Date.parse);

export const datesOf = (row: { readonly created: number; readonly updated: number }) => ({
  dateCreated: timeOf(row.created),
  dateUpdated: timeOf(row.updated),
});

export const timeOrNull = (ms: number | null): string | null => (ms === null ? null : timeOf(ms));

/** An xlsx of one sheet. */
export const spreadsheet = (
  headings: readonly string[],
  rows: readonly (readonly SheetCell[])[],
): Promise<Uint8Array> =>
  buffer(workbook([{ name: "Sheet1", widths: headings.map(() => 16), rows: [headings, ...rows] }]));

/** Throws Refusal 400 for an invalid number of rows of a sheet: the rule of every page. */
export const checkSheetRows = (limit: number, max: number): void => {
  if (Number.isInteger(limit) && limit >= 1 && limit <= max) return;
  throw validationError(`'limit' must be a whole number from 1 to ${max}, not ${limit}.`);
};

/** There are no sub-accounts: a query for one, or for another account, finds nothing, never the caller's own. */
export const isOtherAccount = (named: string | undefined, { accountId }: Caller): boolean =>
  named !== undefined && named !== accountId;
