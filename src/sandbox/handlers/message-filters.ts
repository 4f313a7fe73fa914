/** The filters of lists of messages and of groups. */
import type { QueryOf } from "../../contract/endpoint.ts";
import { dayBound } from "../../contract/fields.ts";
import type { listGroups } from "../../contract/groups.ts";
import { groupStatuses, listedTypes } from "../../contract/message-records.ts";
import type { listMessages } from "../../contract/messages.ts";
import { instantOf } from "../checks/dates.ts";
import { withoutHyphens } from "../rules/recipients.ts";
import { expiredSpans } from "../rules/retention.ts";
import { type Service, validationError } from "../service.ts";
import type { GroupColumn } from "../store/groups.ts";
import { seqOf } from "../store/ids.ts";
import type { MessageColumn } from "../store/messages.ts";
import { type Comparison, type Filter, isComparison } from "../store/rows.ts";
import { rejectUnknown, timeFilters } from "./filters.ts";

type MessagesQuery = QueryOf<typeof listMessages>;
type GroupsQuery = QueryOf<typeof listGroups>;

/** How to read the text of a member that a filter compares with its column. */
type Read = (text: string, member: string, is: Comparison, idSeed: number) => string | number;

/** What a member of a query means: its column, and how its values are read. */
type Members<C extends string> = Readonly<Record<string, readonly [column: C, read: Read]>>;

const messageId: Read = (text, _member, _is, idSeed) => seqOf("message", text, idSeed);
const groupId: Read = (text, _member, _is, idSeed) => seqOf("group", text, idSeed);
const upperCase: Read = (text) => text.toUpperCase();
const oneOf =
  (words: readonly string[]): Read =>
  (text, member) => {
    rejectUnknown(member, text, words);
    return text.toUpperCase();
  };
const instant: Read = (text, member, is) => instantOf(member, text, dayBound[is]);
const truth: Read = (text, member) => {
  if (text === "true" || text === "false") return Number(text === "true");
  throw validationError(`'${member}' must be true or false, not '${text}'.`);
};
const whole: Read = (text, member) => {
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw validationError(`'${member}' must be a whole number, not '${text}'.`);
};

const messageMembers: Members<MessageColumn> = {
  messageId: ["seq", messageId],
  groupId: ["groupSeq", groupId],
  to: ["recipient", withoutHyphens],
  from: ["sender", withoutHyphens],
  type: ["type", oneOf(listedTypes)],
  dateCreated: ["created", instant],
  dateUpdated: ["updated", instant],
  replacement: ["replacement", truth],
  statusCode: ["statusCode", upperCase],
};

const groupMembers: Members<GroupColumn> = {
  groupId: ["seq", groupId],
  status: ["status", oneOf(groupStatuses)],
  dateCreated: ["created", instant],
  dateUpdated: ["updated", instant],
  scheduledDate: ["scheduled", instant],
  "count.total": ["total", whole],
  "count.sentTotal": ["sentTotal", whole],
};

/** Every filter of the query, ANDed. Throws Refusal 400 for an unreadable filter. */
export const messageFilters = (
  query: MessagesQuery,
  { idSeed, now }: Service,
): Filter<MessageColumn>[] => {
  const filter = filterBy(messageMembers, idSeed);
  const named = namedMembers.flatMap((name) => {
    const given = query[name];
    const { eq, in: among } = typeof given === "object" ? given : { eq: given };
    const member = name === "messageIds" ? "messageId" : name;
    return [eq, among].flatMap((it) => (it === undefined ? [] : filter(member, "eq", it)));
  });
  return [
    ...rangeOf(query, now),
    ...timeFilters("created", query.dateCreated),
    ...timeFilters("updated", query.dateUpdated),
    ...named,
    ...criteriaOf(query, filter),
  ];
};

const namedMembers = [
  "messageId",
  "messageIds",
  "groupId",
  "to",
  "from",
  "type",
  "statusCode",
] as const;

/** The same for groups. */
export const groupFilters = (
  query: GroupsQuery,
  { idSeed, now }: Service,
): Filter<GroupColumn>[] => [
  ...rangeOf(query, now),
  ...criteriaOf(query, filterBy(groupMembers, idSeed)),
];

/** The filter for a member: any of several values matches. Throws Refusal 400 for an unknown value. */
const filterBy =
  <C extends string>(members: Members<C>, idSeed: number) =>
  (member: string, is: Comparison, given: string | readonly string[]): Filter<C> => {
    const [column, read] = Object.hasOwn(members, member) ? (members[member] ?? []) : [];
    if (column === undefined || read === undefined) {
      const known = Object.keys(members).join(", ");
      throw validationError(`'criteria' must be of ${known}, not '${member}'.`);
    }
    const readOne = (text: string): string | number => read(text, member, is, idSeed);
    return typeof given === "string"
      ? { column, is, value: readOne(given) }
      : { column, is: "in", value: given.map(readOne) };
  };

/** Three lists of equal length, ANDed. Throws Refusal 400. */
const criteriaOf = <C>(
  { criteria, cond, value }: GroupsQuery,
  filter: (member: string, is: Comparison, value: string) => C,
): C[] => {
  if (criteria === undefined && cond === undefined && value === undefined) return [];
  const [members = [], operators = [], values = []] = [criteria, cond, value].map((list) =>
    list?.split(","),
  );
  if (members.length !== operators.length || members.length !== values.length) {
    const text = `'criteria' (${members.length}), 'cond' (${operators.length}) and 'value' (${values.length}) must be lists of one length.`;
    throw validationError(text);
  }
  return members.map((member, index) => {
    const is = operators[index] ?? "";
    if (!isComparison(is))
      throw validationError(`'cond' must be eq, ne, gt, gte, lt or lte, not '${is}'.`);
    return filter(member, is, values[index] ?? "");
  });
};

/** The retained period, limited to `startDate` to `endDate`, both included. */
const rangeOf = ({ dateType, startDate, endDate }: GroupsQuery, now: number) => {
  const column = dateType === "UPDATED" ? "updated" : "created";
  return [
    ...expiredSpans(now).map((value) => ({ column: "created", is: "outside", value }) as const),
    ...timeFilters(column, { gte: startDate, lte: endDate }),
  ];
};
