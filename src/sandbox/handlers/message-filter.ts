/** The filters of message lists as conditions on columns. */
import type { Input } from "../../contract/endpoint.ts";
import type { listMessages } from "../../contract/messages.ts";
import { oldestShown } from "../rules/calendar.ts";
import { Refusal, type Service } from "../service.ts";
import { type IdKind, seqOf } from "../store/ids.ts";
import type { Comparison, Condition, MessageColumn, Place } from "../store/message-list.ts";
import { criteriaOf, instantOf } from "./criteria.ts";

type Query = NonNullable<Input<typeof listMessages>["query"]>;

/** The number for an id that this store never gave: no row has it. */
const noRow = 0;

/** Every filter of the query, ANDed. Throws Refusal 400 for what cannot be read. */
export const messageConditions = (query: Query, idSeed: number, now: Date): Condition[] => {
  const condition = (member: string, is: Comparison, value: string): Condition =>
    conditionOf(member, is, value, idSeed);
  const conditions: Condition[] = [{ column: "created", is: "gte", value: oldestShown(now) }];
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
  const column = Object.hasOwn(columns, member) ? columns[member] : undefined;
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

const truthOf = (text: string): number => {
  if (text === "true" || text === "false") return Number(text === "true");
  const words = `'replacement' must be true or false, not '${text}'.`;
  throw new Refusal(400, "ValidationError", words);
};

/**
 * Where the page that begins with a message starts. Throws Refusal 400 for one that is not ours, or
 * not of the group where one is named.
 */
export const placeOf = (
  startKey: string,
  { store, caller }: Service,
  idSeed: number,
  groupSeq?: number,
): Place => {
  const seq = seqOf("M4V", startKey, idSeed);
  const place = seq === undefined ? undefined : store.messages.place(seq);
  const isOurs = place?.accountId === caller.accountId;
  if (seq === undefined || !isOurs || (groupSeq ?? place.groupSeq) !== place.groupSeq) {
    throw new Refusal(400, "ValidationError", `'startKey' names no message: '${startKey}'.`);
  }
  return { created: place.created, seq };
};
