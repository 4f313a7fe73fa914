/**
 * The fast path, for the rows that most lists are made of: a mobile number, a text that needs no care, and
 * all else the same for every row. Such a message is checked once as a representative, with the longest text
 * of its class; a row whose number and text are of the same kind passes as the representative did, and its
 * JSON differs only in these two places. Every other row takes the full path (row-message.ts). Without the
 * fast path a list of a million rows takes twice as long to plan.
 */
import type { MessageInput } from "../../contract/message-records.ts";
import { isInKsx1001, textProblem } from "../../message/characters.ts";
import { detectType, maxSmsBytes, sizeInBytes, typeLimits } from "../../message/type.ts";
import type { Column } from "../sources/columns.ts";

interface FastOptions {
  readonly columns: readonly Column[];
  /** The text of the flags, cut at its variables; every second part is a name. */
  readonly parts: readonly string[] | undefined;
  /** Values of variables that no column gives. */
  readonly values: Readonly<Record<string, string>>;
  readonly allowsEmpty?: boolean;
  /** The message to a recipient with this text, checked on the full path; undefined if it is wrong. */
  readonly check: (to: string, text: string) => MessageInput | undefined;
}

/** A row that passed. */
export interface FastRow {
  readonly to: string;
  /** The eight digits after its 010. */
  readonly mobile: number;
  /** As JSON writes it. */
  readonly text: string;
  readonly representative: Representative;
}

export interface FastRows {
  readonly read: (cells: readonly string[]) => FastRow | undefined;
  /** The JSON of the message without the closing brace. */
  readonly write: (row: FastRow) => string;
}

/** A message that was checked for all whose texts have from `min` to `max` bytes. */
export interface Representative {
  readonly message: MessageInput;
  readonly min: number;
  readonly max: number;
}

/** The texts of a class are of one type; what is valid with the longest is valid with all. */
const classes = [
  { min: 1, max: maxSmsBytes },
  { min: maxSmsBytes + 1, max: typeLimits.LMS.max },
] as const;
const ordinary: ReadonlySet<string> = new Set(["SMS", "LMS", "MMS"]);

/** Undefined if no row can take the fast path. */
export const createFastRows = (options: FastOptions): FastRows | undefined => {
  const place = placesOf(options.columns);
  const form = formOf(options);
  const representatives = representativesOf(options);
  const [first] = representatives;
  if (!place || !form || !first) return undefined;
  const { head, middle, tail } = partsOfJson(first.message);
  return {
    read: (cells) => {
      const to = cells[place.to] ?? "";
      if (!mobileNumber.test(to)) return undefined;
      const own = cells[place.text] ?? "";
      const { text, size } =
        own.trim() === "" ? fill(form, cells) : { text: own, size: sizeOfPlain(own) };
      const representative = representatives.find(({ min, max }) => size >= min && size <= max);
      return representative && { to, mobile: Number(to.slice(3)), text, representative };
    },
    write: ({ to, text }) => `${head}${to}${middle}${text}${tail}`,
  };
};

const mobileNumber = /^010\d{8}$/;

/**
 * One column gives the recipient, at most one the text (else its place is below 0), and none anything else
 * of a message.
 */
const placesOf = (columns: readonly Column[]) => {
  const giving = columns.filter(({ members }) => members.length > 0);
  const to = giving.filter(({ members }) => members[0] === "to");
  const text = giving.filter(({ members }) => members[0] === "text");
  const isPlain = giving.every(({ members }) => members.length === 1);
  if (!isPlain || to.length !== 1 || to.length + text.length !== giving.length) return undefined;
  return text.length > 1 ? undefined : { to: to[0]?.at ?? 0, text: text[0]?.at ?? -1 };
};

/** The flags' text: what is fixed, as JSON, and the columns between, with the value of a blank cell. */
type Form = NonNullable<ReturnType<typeof formOf>>;

const formOf = ({ columns, parts = [], values, allowsEmpty = false }: FastOptions) => {
  // Size of what is fixed.
  let size = 0;
  const form: (string | { readonly at: number; readonly blank: string | undefined })[] = [];
  for (const [index, part] of parts.entries()) {
    const isName = index % 2 === 1;
    const column = isName && columns.findLast(({ variables }) => variables.includes(part));
    const blank = isName && Object.hasOwn(values, part) ? values[part] : undefined;
    const text = isName ? blank : part;
    if (column) form.push({ at: column.at, blank });
    else if (text === undefined || textProblem("text", text, false)) return undefined;
    else {
      form.push(JSON.stringify(text).slice(1, -1));
      size += sizeInBytes(text);
    }
  }
  return parts.includes("__proto__") ? undefined : { parts: form, size, allowsEmpty };
};

const fill = (form: Form, cells: readonly string[]) => {
  let { size } = form;
  let text = "";
  for (const part of form.parts) {
    if (typeof part === "string") text += part;
    else {
      const cell = cells[part.at] ?? "";
      const value = part.blank !== undefined && cell.trim() === "" ? part.blank : cell;
      size += value.trim() === "" && !form.allowsEmpty ? Number.NaN : sizeOfPlain(value);
      text += value;
    }
  }
  return { text, size };
};

/**
 * Size of a text that JSON takes unchanged; NaN for one with quotes, backslashes, controls or
 * surrogates, and for one with a number sign, which may begin a variable.
 */
const sizeOfPlain = (text: string): number => {
  let size = 0;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit < 0x80) {
      if (unit < 0x20 || unit === 0x22 || unit === 0x23 || unit === 0x5c || unit === 0x7f)
        return Number.NaN;
      size += 1;
    } else {
      // Halves of pairs, controls, and what a phone may not show: the operator is warned of that.
      if (!isInKsx1001(unit)) return Number.NaN;
      size += 2;
    }
  }
  return size;
};

const sampleNumber = "01000000000";

/** One for each class that passes the full path. */
const representativesOf = ({ check }: FastOptions): Representative[] =>
  classes.flatMap(({ min, max }) => {
    const text = "a".repeat(max);
    const message = check(sampleNumber, text);
    return message && isOrdinary(message, text) ? [{ message, min, max }] : [];
  });

const isOrdinary = (message: MessageInput, text: string): boolean =>
  message.to === sampleNumber &&
  message.text === text &&
  message.customFields === undefined &&
  message.country === undefined &&
  ordinary.has(detectType(message));

/** The JSON of a message, cut where number and text are; the closing brace is left out. */
const partsOfJson = (message: MessageInput) => {
  const members = Object.entries(message).filter(
    ([name, value]) => name !== "to" && value !== undefined,
  );
  const at = members.findIndex(([name]) => name === "text");
  const written = (some: readonly [string, unknown][]): string =>
    some.map(([name, value]) => `,${JSON.stringify(name)}:${JSON.stringify(value)}`).join("");
  return {
    head: '{"to":"',
    middle: `"${written(members.slice(0, at))},"text":"`,
    tail: `"${written(members.slice(at + 1))}`,
  };
};
