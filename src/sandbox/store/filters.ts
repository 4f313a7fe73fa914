/** Filters of lists as conditions of SQL, for tables whose rows are ordered by their id. */
import type { Value } from "./driver.ts";

const comparisons = {
  eq: "= ?",
  ne: "<> ?",
  gt: "> ?",
  gte: ">= ?",
  lt: "< ?",
  lte: "<= ?",
} as const;

export type FilterOperator = keyof typeof comparisons | "like";

/** One condition on a column of `C`. `like` is "contains" (facts/auth-cash 1.4). */
export interface Filter<C extends string> {
  readonly column: C;
  readonly is: FilterOperator;
  readonly value: string | number;
}

/** The text of all conditions, ANDed; their values are appended to `values`. */
export const whereOf = (filters: readonly Filter<string>[], values: Value[]): string =>
  ["TRUE", ...filters.map((filter) => termOf(filter, values))].join(" AND ");

const termOf = ({ column, is, value }: Filter<string>, values: Value[]): string => {
  values.push(value);
  return is === "like" ? `instr(${column}, ?) > 0` : `${column} ${comparisons[is]}`;
};
