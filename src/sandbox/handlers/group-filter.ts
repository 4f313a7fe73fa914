/** The filters of group lists as conditions. */
import type { Input } from "../../contract/endpoint.ts";
import type { listGroups } from "../../contract/groups.ts";
import { oldestShown } from "../rules/calendar.ts";
import { Refusal, type Service } from "../service.ts";
import type { GroupCondition, GroupTerm } from "../store/group-list.ts";
import { seqOf } from "../store/ids.ts";
import type { Comparison, Place } from "../store/message-list.ts";
import { criteriaOf, instantOf } from "./criteria.ts";

type Query = NonNullable<Input<typeof listGroups>["query"]>;

/** The number for an id that this store never gave: no row has it. */
const noRow = 0;

/** Every filter of the query, ANDed. Throws Refusal 400 for what cannot be read. */
export const groupConditions = (query: Query, idSeed: number, now: Date): GroupCondition[] => {
  const { dateType, startDate, endDate } = query;
  const term = dateType === "UPDATED" ? "updated" : "created";
  const conditions: GroupCondition[] = [{ term: "created", is: "gte", value: oldestShown(now) }];
  if (startDate !== undefined) {
    conditions.push({ term, is: "gte", value: instantOf("startDate", startDate, "from") });
  }
  if (endDate !== undefined) {
    conditions.push({ term, is: "lte", value: instantOf("endDate", endDate, "until") });
  }
  const criteria = criteriaOf(query, (member, is, value) => conditionOf(member, is, value, idSeed));
  return [...conditions, ...criteria];
};

const terms: Readonly<Record<string, GroupTerm>> = {
  groupId: "seq",
  status: "status",
  dateCreated: "created",
  dateUpdated: "updated",
  scheduledDate: "scheduled",
  "count.total": "total",
  "count.sentTotal": "sentTotal",
};

const conditionOf = (
  member: string,
  is: Comparison,
  value: string,
  idSeed: number,
): GroupCondition => {
  const term = Object.hasOwn(terms, member) ? terms[member] : undefined;
  if (term === undefined) {
    const known = Object.keys(terms).join(", ");
    throw new Refusal(400, "ValidationError", `'criteria' must be of ${known}, not '${member}'.`);
  }
  if (term === "seq") return { term, is, value: seqOf("G4V", value, idSeed) ?? noRow };
  if (term === "status") return { term, is, value: value.toUpperCase() };
  if (term === "total" || term === "sentTotal") return { term, is, value: wholeOf(member, value) };
  // `gt` and `lte` of a day mean its end.
  const bound = is === "gt" || is === "lte" ? "until" : "from";
  return { term, is, value: instantOf(member, value, bound) };
};

const wholeOf = (member: string, text: string): number => {
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw new Refusal(400, "ValidationError", `'${member}' must be a whole number, not '${text}'.`);
};

/** Where the page that begins with a group starts. Throws Refusal 400 for one that is not ours. */
export const groupPlace = (startKey: string, { store, caller }: Service, idSeed: number): Place => {
  const seq = seqOf("G4V", startKey, idSeed);
  const group = seq === undefined ? undefined : store.groups.bySeq(seq);
  if (group?.accountId === caller.accountId) return { created: group.created, seq: group.seq };
  throw new Refusal(400, "ValidationError", `'startKey' names no group: '${startKey}'.`);
};
