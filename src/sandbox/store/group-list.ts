/** Pages of stored groups, newest first, each read from the index at the place where it begins. */
import type { Database, Value } from "./driver.ts";
import type { GroupRow } from "./groups.ts";
import { type Comparison, comparisons, type ListQuery } from "./message-list.ts";
import { limitClause } from "./sql-fragments.ts";

/** What a list of groups may be filtered by, and the column or sum behind it. */
const terms = {
  seq: "seq",
  status: "status",
  created: "created",
  updated: "updated",
  scheduled: "scheduled",
  total: "(registeredSuccess + registeredFailed)",
  sentTotal: "sentTotal",
} as const;
export type GroupTerm = keyof typeof terms;

export interface GroupCondition {
  readonly term: GroupTerm;
  readonly is: Comparison;
  readonly value: string | number;
}

/** Rows in the order of dateCreated, then of id, both descending. */
export type ListGroups = (query: ListQuery<GroupCondition>) => GroupRow[];

export const createListGroups =
  (database: Database): ListGroups =>
  ({ accountId, conditions, from, limit }) => {
    const values: Value[] = [accountId];
    const wheres = conditions.map(({ term, is, value }) => {
      values.push(value);
      return `${terms[term]} ${comparisons[is]} ?`;
    });
    if (from !== undefined) {
      wheres.push("(created, seq) <= (?, ?)");
      values.push(from.created, from.seq);
    }
    // One group of this number is found by it, whatever the account holds.
    const byId = conditions.some(({ term, is }) => term === "seq" && is === "eq");
    return database.all<GroupRow>(
      `SELECT * FROM groups ${byId ? "NOT INDEXED" : "INDEXED BY groups_by_account"}
       WHERE ${["accountId = ?", ...wheres].join(" AND ")}
       ORDER BY created DESC, seq DESC ${limitClause}`,
      ...values,
      limit,
    );
  };
