/**
 * Pages of lists: the way to write a list handler. It reads one row more than the page holds and takes
 * from `pageOf` what it shows; the filters are of lists that are ordered by their records' ids.
 */
import { Refusal } from "../service.ts";
import type { Filter, FilterOperator } from "../store/filters.ts";

/** A page out of one row more than it holds: its rows, where it begins and where the next one does. */
export const pageOf = <R>(
  rows: readonly R[],
  limit: number,
  idOf: (row: R) => string,
): {
  readonly rows: R[];
  readonly keys: {
    readonly limit: number;
    readonly startKey: string | null;
    readonly nextKey: string | null;
  };
} => {
  const [first, next] = [rows[0], rows[limit]];
  return {
    rows: rows.slice(0, limit),
    keys: {
      limit,
      startKey: first === undefined ? null : idOf(first),
      nextKey: next === undefined ? null : idOf(next),
    },
  };
};

/** Throws Refusal 400 for a startKey that names no record of the caller. */
export const checkStart = (
  startKey: string | undefined,
  accountId: string,
  read: (id: string) => { readonly accountId: string } | undefined,
): void => {
  if (startKey === undefined || read(startKey)?.accountId === accountId) return;
  throw new Refusal(400, "ValidationError", `'startKey' names no record: '${startKey}'.`);
};

type Given = string | boolean | { readonly [K in FilterOperator]?: string | undefined } | undefined;

/** A text filter: the bare value, or values by operator. */
export const textFilters = <C extends string>(column: C, given: Given): Filter<C>[] =>
  filtersOf(column, given, (text) => text);

/** A filter by time: full instants in, milliseconds out. */
export const timeFilters = <C extends string>(column: C, given: Given): Filter<C>[] =>
  filtersOf(column, given, (text) => Date.parse(text));

const filtersOf = <C extends string>(
  column: C,
  given: Given,
  read: (text: string) => string | number,
): Filter<C>[] => {
  if (given === undefined) return [];
  if (typeof given === "boolean") return [{ column, is: "eq", value: Number(given) }];
  const byOperator = typeof given === "string" ? { eq: given } : given;
  return operators.flatMap((is) => {
    const text = byOperator[is];
    return text === undefined ? [] : [{ column, is, value: read(text) }];
  });
};

const operators = ["eq", "ne", "like", "gt", "gte", "lt", "lte"] as const;
