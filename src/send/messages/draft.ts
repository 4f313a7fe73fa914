/** The message of one row, from its cells or from a JSON object. */

import * as v from "valibot";
import { describeIssue } from "../../contract/bounded.ts";
import { type MessageInput, messageInput } from "../../contract/message-records.ts";
import type { Problem } from "../../errors.ts";
import { isRecord } from "../../json/read-json.ts";
import { t } from "../../locale/locale.ts";
import {
  type Column,
  mapWord,
  recipientsIn,
  type TextMember,
  targetsOf,
  textMembers,
} from "../sources/columns.ts";

/** The members of a row override those of the flags. An empty cell counts as left out. */
export interface Draft {
  /** `text` and `subject` only if the row has them. */
  readonly message: MessageInput;
  /** Several recipients of one JSON row. */
  readonly recipients?: readonly string[] | undefined;
  /** Values for `#{…}` by name. */
  readonly variables: Readonly<Record<string, string>>;
  readonly problems: readonly Problem[];
  /** The key of a JSON row that is taken as the recipient by its name. */
  readonly recipientKey?: string | undefined;
}

/** Blanks around a text or subject are part of it; around other values they are dropped. */
const set = (message: MessageInput, member: TextMember, value: string): void => {
  message[member] = member === "text" || member === "subject" ? value : value.trim();
};

/** The draft of a row of cells. `variables` are the columns whose values the texts ask for. */
export const draftOfCells = (
  message: MessageInput,
  cells: readonly string[],
  members: readonly Column[],
  variables: readonly Column[],
): Draft => {
  for (const column of members) {
    const cell = cells[column.at] ?? "";
    if (cell.trim() === "") continue;
    for (const member of column.members) set(message, member, cell);
  }
  const values = variables.flatMap(({ at, variables: names }) =>
    names.map((name) => [name, cells[at] ?? ""] as const),
  );
  return { message, variables: Object.fromEntries(values), problems: [] };
};

/** Members of a message that hold more than a text. */
export const optionMembers: ReadonlySet<string> = new Set([
  "kakaoOptions",
  "naverOptions",
  "rcsOptions",
  "customFields",
  "autoTypeDetect",
  "replacements",
]);

interface Given {
  readonly name: string;
  readonly text: string | undefined;
}

class Collected {
  recipients: readonly string[] | undefined;
  readonly given = new Map<TextMember, Given>();
  readonly options: [string, unknown][] = [];
  readonly variables: [string, string][] = [];
  readonly problems: Problem[] = [];
}

/** The draft of a JSON row: members of a message, and plain values as variables. */
export const draftOfValue = (
  message: MessageInput,
  value: unknown,
  map: Readonly<Record<string, string>>,
): Draft => {
  if (!isRecord(value))
    return {
      message,
      variables: {},
      problems: [{ code: "NotAnObject", text: t`this row is not an object` }],
    };
  const found = new Collected();
  const recipientKey = recipientKeyOf(Object.keys(value), map, found.problems);
  const whole = recipientKey === undefined ? map : { ...map, to: recipientKey };
  for (const [name, member] of Object.entries(value)) collect(name, member, whole, found);
  // In the order of columns: the same rows make the same bodies.
  for (const member of textMembers) {
    const text = found.given.get(member)?.text;
    if (text !== undefined) set(message, member, text);
  }
  Object.assign(message, parseOptions(found));
  const { recipients, problems } = found;
  const variables = Object.fromEntries(found.variables);
  return { message, recipients, recipientKey, variables, problems };
};

/** As with the columns of a table: only if no key gives the recipient, and only one may. */
const recipientKeyOf = (
  keys: readonly string[],
  map: Readonly<Record<string, string>>,
  problems: Problem[],
): string | undefined => {
  if (keys.some((key) => targetsOf(key, map).members.includes("to"))) return undefined;
  const [only, other] = map.to === undefined ? recipientsIn(keys) : [];
  if (only === undefined || other === undefined) return only;
  const text = t`"${only}" and "${other}" both look like the recipient: --map ${mapWord("to", only)}, or --map ${mapWord("to", other)}`;
  problems.push({ code: "DuplicateKey", field: "to", text });
  return undefined;
};

/** The service writes an empty value as null: it counts as left out. */
const collect = (
  name: string,
  value: unknown,
  map: Readonly<Record<string, string>>,
  into: Collected,
): void => {
  if (value === null) return;
  if (optionMembers.has(name)) {
    into.options.push([name, value]);
    return;
  }
  const { members, variables } = targetsOf(name, map);
  const text = plainText(value);
  const several = members.includes("to") ? plainTexts(value) : undefined;
  // A list without a number counts as left out, as a blank text does.
  if (several?.length) into.recipients = several;
  else if (text === undefined && !several) into.problems.push(notPlain(name, members.length > 0));
  if (several?.length || text?.trim())
    for (const member of members) give(member, { name, text }, into);
  if (text === undefined) return;
  for (const variable of variables) into.variables.push([variable, text]);
};

/** If two give the same member, it is not clear which one was meant. */
const give = (member: TextMember, value: Given, into: Collected): void => {
  const other = into.given.get(member);
  into.given.set(member, value);
  if (other === undefined) return;
  const text = t`"${other.name}" and "${value.name}" both give "${member}"`;
  into.problems.push({ code: "DuplicateKey", field: value.name, text });
};

const plainText = (value: unknown): string | undefined => {
  if (typeof value === "string") return value;
  return typeof value === "number" || typeof value === "boolean" ? String(value) : undefined;
};

const plainTexts = (value: unknown): string[] | undefined => {
  if (!Array.isArray(value)) return undefined;
  const texts = value.flatMap((item: unknown) => plainText(item) ?? []);
  return texts.length === value.length ? texts : undefined;
};

const notPlain = (field: string, isMember: boolean): Problem =>
  isMember
    ? { code: "1011", field, text: t`"${field}" is not a text` }
    : { code: "UnknownMember", field, text: t`a message has no member "${field}"` };

const parseOptions = (found: Collected): MessageInput | undefined => {
  if (found.options.length === 0) return undefined;
  const given = Object.fromEntries(found.options);
  const parsed = v.safeParse(messageInput, given, { message: describeIssue });
  if (parsed.success) return parsed.output;
  for (const issue of parsed.issues) {
    const field = v.getDotPath(issue) ?? undefined;
    found.problems.push({ code: "1011", field, text: issue.message });
  }
  return undefined;
};
