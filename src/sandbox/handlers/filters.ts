/** The filters of message and group lists as conditions on columns. */
import type { Input } from "../../contract/endpoint.ts";
import type { listGroups } from "../../contract/groups.ts";
import type { listMessages } from "../../contract/messages.ts";
import { readInstant } from "../checks/dates.ts";
import { oldestShown } from "../rules/calendar.ts";
import { type Service, validationError } from "../service.ts";
import type { Comparison, Place } from "../store/filters.ts";
import type { GroupCondition, GroupTerm } from "../store/groups.ts";
import { type IdKind, seqOf } from "../store/ids.ts";
import type { Condition, MessageColumn } from "../store/message-list.ts";

/** The number for an id that this store never gave: no row has it. */
const noRow = 0;

type MessagesQuery = NonNullable<Input<typeof listMessages>["query"]>;
type GroupsQuery = NonNullable<Input<typeof listGroups>["query"]>;

/** Every filter of the query, ANDed. Throws Refusal 400 for what cannot be read. */
export const messageConditions = (query: MessagesQuery, idSeed: number, now: Date): Condition[] => {
  const condition = (member: string, is: Comparison, value: string): Condition =>
    messageCondition(member, is, value, idSeed);
  const conditions: Condition[] = [{ column: "created", is: "gte", value: oldestShown(now) }];
  for (const member of exactMembers) {
    const value = query[member];
    if (value !== undefined) conditions.push(condition(member, "eq", value));
  }
  for (const member of ["type", "statusCode"] as const) {
    for (const [is, value] of operatorsOf(query[member])) {
      conditions.push(
        is === "eq"
          ? condition(member, "eq", value[0] ?? "")
          : { column: member, is: "in", value: value.map((it) => it.toUpperCase()) },
      );
    }
  }
  for (const [, ids] of operatorsOf(query.messageIds)) {
    const value = ids.map((id) => seqOf("M4V", id, idSeed) ?? noRow);
    conditions.push({ column: "seq", is: "in", value });
  }
  const range = rangeOf(query).map(({ term: column, is, value }) => ({ column, is, value }));
  return [...conditions, ...range, ...criteriaOf(query, condition)];
};

const exactMembers = ["messageId", "groupId", "to", "from", "dateCreated", "dateUpdated"] as const;

type Several =
  | string
  | { readonly eq?: string | undefined; readonly in?: string[] | undefined }
  | undefined;

const operatorsOf = (given: Several): ["eq" | "in", string[]][] => {
  if (given === undefined) return [];
  if (typeof given === "string") return [["eq", [given]]];
  return [
    ...(given.eq === undefined ? [] : [["eq", [given.eq]] satisfies ["eq", string[]]]),
    ...(given.in === undefined ? [] : [["in", given.in] satisfies ["in", string[]]]),
  ];
};

const columns: Readonly<Record<string, MessageColumn>> = {
  messageId: "seq",
  groupId: "groupSeq",
  to: "recipient",
  from: "sender",
  type: "type",
  dateCreated: "created",
  dateUpdated: "updated",
  replacement: "replacement",
  statusCode: "statusCode",
};

const messageCondition = (
  member: string,
  is: Comparison,
  value: string,
  idSeed: number,
): Condition => {
  const column = knownOf(columns, member);
  const id = (kind: IdKind): number => seqOf(kind, value, idSeed) ?? noRow;
  if (column === "seq") return { column, is, value: id("M4V") };
  if (column === "groupSeq") return { column, is, value: id("G4V") };
  if (column === "created" || column === "updated") {
    return { column, is, value: instantOf(member, value, boundOf(is)) };
  }
  if (column === "replacement") return { column, is, value: truthOf(value) };
  if (column === "recipient" || column === "sender") {
    return { column, is, value: value.replaceAll("-", "") };
  }
  return { column, is, value: value.toUpperCase() };
};

const truthOf = (text: string): number => {
  if (text === "true" || text === "false") return Number(text === "true");
  throw validationError(`'replacement' must be true or false, not '${text}'.`);
};

/**
 * Where the page that begins with a message starts. Throws Refusal 400 for one that is not ours, or
 * not of the group where one is named.
 */
export const messagePlace = (
  startKey: string,
  { store, caller }: Service,
  idSeed: number,
  groupSeq?: number,
): Place => {
  const seq = seqOf("M4V", startKey, idSeed);
  const place = seq === undefined ? undefined : store.messages.place(seq);
  const isOurs = place?.accountId === caller.accountId;
  if (seq === undefined || !isOurs || (groupSeq ?? place.groupSeq) !== place.groupSeq) {
    throw validationError(`'startKey' names no message: '${startKey}'.`);
  }
  return { created: place.created, seq };
};

/** Every filter of the query, ANDed. Throws Refusal 400 for what cannot be read. */
export const groupConditions = (
  query: GroupsQuery,
  idSeed: number,
  now: Date,
): GroupCondition[] => [
  { term: "created", is: "gte", value: oldestShown(now) },
  ...rangeOf(query),
  ...criteriaOf(query, (member, is, value) => groupCondition(member, is, value, idSeed)),
];

const terms: Readonly<Record<string, GroupTerm>> = {
  groupId: "seq",
  status: "status",
  dateCreated: "created",
  dateUpdated: "updated",
  scheduledDate: "scheduled",
  "count.total": "total",
  "count.sentTotal": "sentTotal",
};

const groupCondition = (
  member: string,
  is: Comparison,
  value: string,
  idSeed: number,
): GroupCondition => {
  const term = knownOf(terms, member);
  if (term === "seq") return { term, is, value: seqOf("G4V", value, idSeed) ?? noRow };
  if (term === "status") return { term, is, value: value.toUpperCase() };
  if (term === "total" || term === "sentTotal") return { term, is, value: wholeOf(member, value) };
  return { term, is, value: instantOf(member, value, boundOf(is)) };
};

const wholeOf = (member: string, text: string): number => {
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw validationError(`'${member}' must be a whole number, not '${text}'.`);
};

/** Where the page that begins with a group starts. Throws Refusal 400 for one that is not ours. */
export const groupPlace = (startKey: string, { store, caller }: Service, idSeed: number): Place => {
  const seq = seqOf("G4V", startKey, idSeed);
  const group = seq === undefined ? undefined : store.groups.bySeq(seq);
  if (group?.accountId === caller.accountId) return { created: group.created, seq: group.seq };
  throw validationError(`'startKey' names no group: '${startKey}'.`);
};

interface Criteria {
  readonly criteria?: string | undefined;
  readonly cond?: string | undefined;
  readonly value?: string | undefined;
}

/** Three lists of equal length, ANDed. Throws Refusal 400. */
const criteriaOf = <C>(
  { criteria, cond, value }: Criteria,
  condition: (member: string, is: Comparison, value: string) => C,
): C[] => {
  if (criteria === undefined && cond === undefined && value === undefined) return [];
  const [members = [], comparisons = [], values = []] = [criteria, cond, value].map((list) =>
    list?.split(","),
  );
  if (members.length !== comparisons.length || members.length !== values.length) {
    const text = `'criteria' (${members.length}), 'cond' (${comparisons.length}) and 'value' (${values.length}) must be lists of one length.`;
    throw validationError(text);
  }
  return members.map((member, index) => {
    const is = comparisons[index] ?? "";
    if (!isComparison(is))
      throw validationError(`'cond' must be eq, ne, gt, gte, lt or lte, not '${is}'.`);
    return condition(member, is, values[index] ?? "");
  });
};

const isComparison = (text: string): text is Comparison =>
  ["eq", "ne", "gt", "gte", "lt", "lte"].includes(text);

/** Milliseconds since 1970. Throws Refusal 400 for a text that is no time. */
export const instantOf = (name: string, text: string, bound: "from" | "until"): number => {
  const instant = readInstant(text, bound);
  if (instant !== undefined) return instant.getTime();
  throw validationError(`'${name}' must be an ISO 8601 time, not '${text}'.`);
};

/** What a member of `criteria` means. Throws Refusal 400 for one that is not known. */
const knownOf = <T>(all: Readonly<Record<string, T>>, member: string): T => {
  const found = Object.hasOwn(all, member) ? all[member] : undefined;
  if (found !== undefined) return found;
  const known = Object.keys(all).join(", ");
  throw validationError(`'criteria' must be of ${known}, not '${member}'.`);
};

/** `gt` and `lte` of a day mean its end. */
const boundOf = (is: Comparison): "from" | "until" =>
  is === "gt" || is === "lte" ? "until" : "from";

interface Range {
  readonly dateType?: string | undefined;
  readonly startDate?: string | undefined;
  readonly endDate?: string | undefined;
}

/** `startDate` and `endDate`, both included. */
const rangeOf = ({ dateType, startDate, endDate }: Range) => {
  const term = dateType === "UPDATED" ? ("updated" as const) : ("created" as const);
  const from = startDate === undefined ? [] : [instantOf("startDate", startDate, "from")];
  const until = endDate === undefined ? [] : [instantOf("endDate", endDate, "until")];
  return [
    ...from.map((value) => ({ term, is: "gte" as const, value })),
    ...until.map((value) => ({ term, is: "lte" as const, value })),
  ];
};
