/** The filters of a list: the conditions that a query sets for its columns. */
import { validationError } from "../service.ts";
import { type Filter, type FilterOperator, isFilterOperator } from "../store/rows.ts";

/** A bare value, any of a list, or texts by operator. */
type Given =
  | string
  | number
  | boolean
  | string[]
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

/** The filters that a value means; lists and texts by operator go through `read`. */
export const valueFilters = <C extends string>(
  column: C,
  given: Given,
  read: (text: string) => string | number = (text) => text,
): Filter<C>[] => {
  if (given === undefined) return [];
  if (typeof given === "boolean" || typeof given === "number")
    return [{ column, is: "eq", value: Number(given) }];
  if (Array.isArray(given)) return [{ column, is: "in", value: given.map(read) }];
  const byOperator = typeof given === "string" ? { eq: given } : given;
  return Object.entries(byOperator).flatMap(([is, text]) =>
    isFilterOperator(is) && text !== undefined ? [{ column, is, value: read(text) }] : [],
  );
};

/** Throws Refusal 400 for a word, in either case, that is none of these. */
export const rejectUnknown = (name: string, word: string, known: readonly string[]): void => {
  if (known.includes(word.toUpperCase())) return;
  throw validationError(`'${name}' must be one of ${known.join(", ")}, not '${word}'.`);
};

/** Filters by time: full instants in, milliseconds out. */
export const timeFilters = <C extends string>(column: C, given: Given): Filter<C>[] =>
  valueFilters(column, given, Date.parse);
