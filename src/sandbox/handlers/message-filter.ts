/** The filters of message lists as conditions on columns (facts/messages 1.4, 1.5, 4.2). */
import type { Input } from "../../contract/endpoint.ts";
import type { listMessages } from "../../contract/messages.ts";
import { readInstant } from "../checks/dates.ts";
import { monthsAfter } from "../rules/calendar.ts";
import { Refusal, type Service } from "../service.ts";
import { type IdKind, seqOf } from "../store/ids.ts";
import type { Comparison, Condition, MessageColumn, Place } from "../store/message-list.ts";

type Query = NonNullable<Input<typeof listMessages>["query"]>;

/** Records older than this are never shown (specification, conventions). */
const retentionMonths = 6;
/** No row has it: what an id that this store never gave stands for. */
const noRow = 0;

/** Every filter of the query, ANDed. Throws Refusal 400 for what cannot be read. */
export const messageConditions = (query: Query, idSeed: number, now: Date): Condition[] => {
  const condition = (member: string, is: Comparison, value: string): Condition =>
    conditionOf(member, is, value, idSeed);
  const oldest = monthsAfter(now.getTime(), -retentionMonths);
  const conditions: Condition[] = [{ column: "created", is: "gte", value: oldest }];
  for (const member of [
    "messageId",
    "groupId",
    "to",
    "from",
    "dateCreated",
    "dateUpdated",
  ] as const) {
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
  return [...conditions, ...rangeOf(query), ...criteriaOf(query, condition)];
};

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

const rangeOf = ({ dateType, startDate, endDate }: Query): Condition[] => {
  const column = dateType === "UPDATED" ? "updated" : "created";
  return [
    ...(startDate === undefined
      ? []
      : [{ column, is: "gte", value: instantOf("startDate", startDate, "from") } as const]),
    ...(endDate === undefined
      ? []
      : [{ column, is: "lte", value: instantOf("endDate", endDate, "until") } as const]),
  ];
};

/** Three lists of equal length, ANDed. */
const criteriaOf = (
  { criteria, cond, value }: Query,
  condition: (member: string, is: Comparison, value: string) => Condition,
): Condition[] => {
  if (criteria === undefined && cond === undefined && value === undefined) return [];
  const [members = [], comparisons = [], values = []] = [criteria, cond, value].map((list) =>
    list?.split(","),
  );
  if (members.length !== comparisons.length || members.length !== values.length) {
    const text = `'criteria' (${members.length}), 'cond' (${comparisons.length}) and 'value' (${values.length}) must be lists of one length.`;
    throw new Refusal(400, "ValidationError", text);
  }
  return members.map((member, index) => {
    const is = comparisons[index] ?? "";
    if (!isComparison(is)) {
      const text = `'cond' must be eq, ne, gt, gte, lt or lte, not '${is}'.`;
      throw new Refusal(400, "ValidationError", text);
    }
    return condition(member, is, values[index] ?? "");
  });
};

const isComparison = (text: string): text is Comparison =>
  ["eq", "ne", "gt", "gte", "lt", "lte"].includes(text);

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

const conditionOf = (member: string, is: Comparison, value: string, idSeed: number): Condition => {
  const column = columns[member];
  if (column === undefined) {
    const known = Object.keys(columns).join(", ");
    throw new Refusal(400, "ValidationError", `'criteria' must be of ${known}, not '${member}'.`);
  }
  const id = (kind: IdKind): number => seqOf(kind, value, idSeed) ?? noRow;
  if (column === "seq") return { column, is, value: id("M4V") };
  if (column === "groupSeq") return { column, is, value: id("G4V") };
  if (column === "created" || column === "updated") {
    // `gt` and `lte` of a day mean its end.
    const bound = is === "gt" || is === "lte" ? "until" : "from";
    return { column, is, value: instantOf(member, value, bound) };
  }
  if (column === "replacement") return { column, is, value: truthOf(value) };
  if (column === "recipient" || column === "sender") {
    return { column, is, value: value.replaceAll("-", "") };
  }
  return { column, is, value: value.toUpperCase() };
};

const instantOf = (name: string, text: string, bound: "from" | "until"): number => {
  const instant = readInstant(text, bound);
  if (instant !== undefined) return instant.getTime();
  throw new Refusal(400, "ValidationError", `'${name}' must be an ISO 8601 time, not '${text}'.`);
};

const truthOf = (text: string): number => {
  if (text === "true" || text === "false") return Number(text === "true");
  const words = `'replacement' must be true or false, not '${text}'.`;
  throw new Refusal(400, "ValidationError", words);
};

/** Where the page that begins with a message starts. Throws Refusal 400 for one that is not ours. */
export const placeOf = (startKey: string, { store, caller }: Service, idSeed: number): Place => {
  const seq = seqOf("M4V", startKey, idSeed);
  const place = seq === undefined ? undefined : store.messages.place(seq);
  if (seq === undefined || place?.accountId !== caller.accountId) {
    throw new Refusal(400, "ValidationError", `'startKey' names no message: '${startKey}'.`);
  }
  return { created: place.created, seq };
};
