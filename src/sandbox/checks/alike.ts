/**
 * Reads the body of a large call without parsing it: messages that differ in number, text and own fields
 * alone, as a run writes them. The first is parsed and stands for all; the others are compared with it
 * byte by byte. Whatever looks otherwise in any place is left to the schema (validate.ts).
 */
import { isUtf8 } from "node:buffer";
import { type Part, partOf, standsAt, viewOf } from "../../bytes/part.ts";
import { fitting } from "../../contract/fits.ts";
import { type MessageInput, messageInput } from "../../contract/message-records.ts";
import { sizeInBytes } from "../../message/bytes.ts";
import { smsBytes, typeLimits } from "../../message/type.ts";
import { forcingPrefix } from "../rules/outcomes.ts";

/** Messages that pass the same checks as the first of them, with the same type and price. */
export interface Alike {
  readonly body: Uint8Array;
  readonly first: MessageInput;
  readonly rows: AlikeRows;
}

/**
 * Where the parts of the messages stand in the body: a column each, since ten thousand objects are a
 * good part of what a call costs.
 */
export interface AlikeRows {
  readonly count: number;
  /** The numbers: eleven digits each. */
  readonly to: Int32Array;
  /** The eight digits behind their 010. */
  readonly mobile: Int32Array;
  readonly textEnd: Int32Array;
  readonly fieldsEnd: Int32Array;
  /** Bytes from the end of a number to its text. */
  readonly textGap: number;
  /** Bytes from the end of a text to the object of own fields, which is empty where there are none. */
  readonly fieldsGap: number;
}

export const mobileDigits = 11;
const head = Buffer.from('{"messages":[');
const tail = partOf("]}");
/** A value of so many bytes has no more characters than facts/messages 3.4 allows. */
const mostFieldBytes = 100;

/** Undefined where any message is not like the first; nothing is said about what is wrong. */
export const readAlike = (body: Uint8Array): Alike | undefined => {
  if (!isUtf8(body)) return undefined;
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  const first = bytes.subarray(0, head.length).equals(head) ? firstOf(bytes) : undefined;
  const form = first && formOf(first);
  const rows = form && rowsOf(viewOf(bytes), form);
  return first && rows && { body, first, rows };
};

const fits = fitting(messageInput);
const isMessage = (value: unknown): value is MessageInput => fits(value);

/** The first message, where its JSON is written the one way in which `JSON.stringify` writes it. */
const firstOf = (bytes: Buffer): MessageInput | undefined => {
  const next = bytes.indexOf("},{", head.length);
  const end = next < 0 ? bytes.length - tail.length : next + 1;
  const json = bytes.toString("utf8", head.length, end);
  try {
    const value: unknown = JSON.parse(json);
    return isMessage(value) && JSON.stringify(value) === json ? value : undefined;
  } catch {
    return undefined;
  }
};

/** The JSON of a message, cut where the number, the text and the values of its own fields stand. */
interface Form {
  /** What stands before the number. */
  readonly before: Part;
  /** From the number to the text. */
  readonly between: Part;
  /** What stands behind the text, and behind each value of its own fields. */
  readonly behind: readonly Part[];
  /** The last of them. */
  readonly after: Part;
  /** Bytes from the end of the text to the object of own fields; undefined where there is none. */
  readonly fieldsGap: number | undefined;
  /** Texts of so many bytes, as the size rules count them, make a message of the same type. */
  readonly leastText: number;
  readonly mostText: number;
}

/** Own fields that are compared; more are left to the schema. */
const mostFields = 100;
/** What a message may say to be judged by its first; whatever has more is left to the schema. */
const members: ReadonlySet<string> = new Set(["to", "from", "text", "type", "customFields"]);
/** Of these, what differs from message to message, in the order in which it has to stand. */
const order = /^to,text(,customFields)?$/;
const slot = "\u0000";
const slotJson = JSON.stringify(slot).slice(1, -1);
const fieldsName = '"customFields":';
const none = partOf("");

const formOf = (first: MessageInput): Form | undefined => {
  const names = Object.keys(first);
  const fields = Object.keys(first.customFields ?? {});
  const own = names.filter((name) => name !== "from" && name !== "type");
  if (!names.every((name) => members.has(name)) || !order.test(own.join())) return undefined;
  const marked = {
    ...first,
    to: slot,
    text: slot,
    ...(first.customFields && {
      customFields: Object.fromEntries(fields.map((name) => [name, slot])),
    }),
  };
  const texts = JSON.stringify(marked).split(slotJson);
  const [before = none, between = none, ...behind] = texts.map((text) => partOf(text));
  const hasFields = fields.length > 0 && fields.length <= mostFields;
  if (behind.length !== 1 + fields.length || hasFields !== "customFields" in first)
    return undefined;
  const [, , behindText = ""] = texts;
  const until = behindText.lastIndexOf(`${fieldsName}{`) + fieldsName.length;
  const gap = Buffer.byteLength(behindText.slice(0, until));
  const after = behind.at(-1) ?? none;
  const fieldsGap = hasFields ? gap : undefined;
  return { before, between, behind, after, fieldsGap, ...sizesOf(first) };
};

/** A type that is named takes every text that fits it; else the text decides between the two. */
const sizesOf = ({ type, text = "" }: MessageInput): Pick<Form, "leastText" | "mostText"> => {
  const isKnown = type === "SMS" || type === "LMS";
  if (type !== undefined) return { leastText: 1, mostText: isKnown ? typeLimits[type].most : 0 };
  return sizeInBytes(text) <= smsBytes
    ? { leastText: 1, mostText: smsBytes }
    : { leastText: smsBytes + 1, mostText: typeLimits.LMS.most };
};

const rowsOf = (view: DataView, form: Form): AlikeRows | undefined => {
  const rows = roomFor(view, form);
  let count = 0;
  for (let at = head.length; ; count += 1) {
    const end = readRow(view, at, form, rows, count);
    if (end < 0 || end === view.byteLength) return undefined;
    if (view.getUint8(end) !== comma) {
      const isEnd = view.byteLength === end + tail.length && standsAt(view, end, tail);
      return isEnd ? { ...rows, count: count + 1 } : undefined;
    }
    at = end + 1;
  }
};

/** Columns for as many messages as the body can hold. */
const roomFor = (view: DataView, form: Form): Omit<AlikeRows, "count"> => {
  const { before, between, behind, fieldsGap = 0 } = form;
  const fixed = [before, between, ...behind].reduce((sum, { length }) => sum + length, 0);
  const least = fixed + mobileDigits + 1;
  const most = Math.ceil(view.byteLength / least);
  const column = (): Int32Array => new Int32Array(most);
  return {
    ...{ to: column(), mobile: column(), textEnd: column(), fieldsEnd: column() },
    ...{ textGap: between.length, fieldsGap },
  };
};

/** Reads the message that begins at this place into the columns. Returns where it ends; below 0 where it is not alike. */
const readRow = (
  view: DataView,
  at: number,
  form: Form,
  rows: Omit<AlikeRows, "count">,
  row: number,
): number => {
  const { before, between } = form;
  const to = at + before.length;
  const mobile = standsAt(view, at, before) ? mobileAt(view, to) : -1;
  if (mobile < 0 || !standsAt(view, to + mobileDigits, between)) return -1;
  const textEnd = endOfText(view, to + mobileDigits + between.length, form);
  const last = textEnd < 0 ? -1 : lastPart(view, textEnd, form.behind);
  if (last < 0) return -1;
  rows.to[row] = to;
  rows.mobile[row] = mobile;
  rows.textEnd[row] = textEnd;
  // The last value ends its object: a quote and a brace.
  rows.fieldsEnd[row] = form.fieldsGap === undefined ? textEnd : last + 2;
  return last + form.after.length;
};

/** Where the last fixed part stands, behind the values of own fields; below 0 where one is not plain. */
const lastPart = (view: DataView, from: number, parts: readonly Part[]): number => {
  let at = from;
  for (let index = 0; index < parts.length; index += 1) {
    const part = parts[index] ?? none;
    if (!standsAt(view, at, part)) return -1;
    if (index === parts.length - 1) return at;
    at = endOfField(view, at + part.length);
    if (at < 0) return -1;
  }
  return -1;
};

const [comma, quote, backslash] = [0x2c, 0x22, 0x5c];
const mobilePrefix = partOf("010");
const forcing = partOf(forcingPrefix);

/** The digits behind 010; below 0 for other numbers, and for those that say how their message ends. */
const mobileAt = (view: DataView, at: number): number => {
  if (!standsAt(view, at, mobilePrefix) || standsAt(view, at, forcing)) return -1;
  if (at + mobileDigits > view.byteLength) return -1;
  let value = 0;
  for (let here = at + mobilePrefix.length; here < at + mobileDigits; here += 1) {
    const digit = view.getUint8(here) - 0x30;
    if (digit < 0 || digit > 9) return -1;
    value = value * 10 + digit;
  }
  return value;
};

/** What a byte of a text adds to its size, as the size rules count it: 1 for ASCII, 2 for any other character. */
const special = 0xff;
const sizes = Uint8Array.from({ length: 256 }, (_, byte) => {
  const isPlain = byte >= 0x20 && byte !== quote && byte !== backslash && byte !== 0x7f;
  if (byte < 0x80) return isPlain ? 1 : special;
  // Of a character of several bytes the first one counts. The C1 controls begin with C2.
  if (byte < 0xc0) return 0;
  return byte === 0xc2 || byte >= 0xf0 ? special : 2;
});

/** Below 0 for a text that is escaped, holds a control or a surrogate pair, or is of another type. */
const endOfText = (view: DataView, from: number, { leastText, mostText }: Form): number => {
  const end = view.byteLength;
  let size = 0;
  for (let at = from; size <= mostText && at < end; at += 1) {
    const code = view.getUint8(at);
    const adds = sizes[code] ?? special;
    if (adds !== special) size += adds;
    else if (code === quote) return size >= leastText ? at : -1;
    else if (code === 0xc2 && view.getUint8(at + 1) >= 0xa0) size += 2;
    else return -1;
  }
  return -1;
};

/** Below 0 for a value that is escaped or long. */
const endOfField = (view: DataView, from: number): number => {
  const last = Math.min(from + mostFieldBytes, view.byteLength - 1);
  for (let at = from; at <= last; at += 1) {
    const code = view.getUint8(at);
    if (code === quote) return at;
    if (code < 0x20 || code === backslash) return -1;
  }
  return -1;
};
