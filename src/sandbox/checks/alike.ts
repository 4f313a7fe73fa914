/**
 * Reads the body of a large call without parsing it: messages that differ in number, text and own fields
 * alone, as a run writes them. The first is parsed and stands for all; the others are compared with it
 * byte by byte. Whatever looks otherwise in any place is left to the schema (validate.ts).
 */
import { isUtf8 } from "node:buffer";
import { fitting } from "../../contract/fits.ts";
import { type MessageInput, messageInput } from "../../contract/message-records.ts";
import { sizeInBytes } from "../../message/bytes.ts";
import { smsBytes, typeLimits } from "../../message/type.ts";
import { forcingPrefix } from "../rules/outcomes.ts";

/** Messages that pass the same checks as the first of them, with the same type and price. */
export interface Alike {
  readonly body: Uint8Array;
  readonly first: MessageInput;
  readonly rows: readonly AlikeRow[];
}

/** Where the parts of one message stand in the body. */
export interface AlikeRow {
  /** The number: eleven digits. */
  readonly to: number;
  /** The eight digits behind its 010. */
  readonly mobile: number;
  readonly text: number;
  readonly textEnd: number;
  /** The object of its own fields; empty where it has none. */
  readonly fields: number;
  readonly fieldsEnd: number;
  /** Where its JSON ends. */
  readonly end: number;
}

export const mobileDigits = 11;
const head = Buffer.from('{"messages":[');
const tail = Buffer.from("]}");
/** A value of so many bytes has no more characters than facts/messages 3.4 allows. */
const mostFieldBytes = 100;

/** Undefined where any message is not like the first; nothing is said about what is wrong. */
export const readAlike = (body: Uint8Array): Alike | undefined => {
  if (!isUtf8(body)) return undefined;
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  const first = standsAt(bytes, 0, head) ? firstOf(bytes) : undefined;
  const form = first && formOf(first);
  const rows = form && rowsOf(bytes, form);
  return first && rows && { body, first, rows };
};

/** Byte by byte: a call for so few costs more than they do. */
const standsAt = (bytes: Uint8Array, at: number, part: Uint8Array): boolean => {
  for (let index = 0; index < part.length; index += 1)
    if (bytes[at + index] !== part[index]) return false;
  return true;
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
  readonly parts: readonly Buffer[];
  /** From the end of the text to the object of own fields; undefined where there is none. */
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
const none = Buffer.alloc(0);

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
  const parts = JSON.stringify(marked)
    .split(slotJson)
    .map((part) => Buffer.from(part));
  const hasFields = fields.length > 0 && fields.length <= mostFields;
  if (parts.length !== 3 + fields.length || hasFields !== "customFields" in first) return undefined;
  const gap = (parts[2] ?? none).lastIndexOf(`${fieldsName}{`) + fieldsName.length;
  return { parts, fieldsGap: hasFields ? gap : undefined, ...sizesOf(first) };
};

/** A type that is named takes every text that fits it; else the text decides between the two. */
const sizesOf = ({ type, text = "" }: MessageInput): Pick<Form, "leastText" | "mostText"> => {
  const isKnown = type === "SMS" || type === "LMS";
  if (type !== undefined) return { leastText: 1, mostText: isKnown ? typeLimits[type].most : 0 };
  return sizeInBytes(text) <= smsBytes
    ? { leastText: 1, mostText: smsBytes }
    : { leastText: smsBytes + 1, mostText: typeLimits.LMS.most };
};

const rowsOf = (bytes: Uint8Array, form: Form): AlikeRow[] | undefined => {
  const rows: AlikeRow[] = [];
  for (let at = head.length; ; ) {
    const row = rowAt(bytes, at, form);
    if (row === undefined) return undefined;
    rows.push(row);
    if (bytes[row.end] !== comma)
      return bytes.length === row.end + tail.length && standsAt(bytes, row.end, tail)
        ? rows
        : undefined;
    at = row.end + 1;
  }
};

const rowAt = (bytes: Uint8Array, at: number, form: Form): AlikeRow | undefined => {
  const [before = none, between = none] = form.parts;
  const to = at + before.length;
  const text = to + mobileDigits + between.length;
  const mobile = standsAt(bytes, at, before) ? mobileAt(bytes, to) : -1;
  if (mobile < 0 || !standsAt(bytes, to + mobileDigits, between)) return undefined;
  const textEnd = endOfText(bytes, text, form);
  const last = textEnd < 0 ? -1 : lastPart(bytes, textEnd, form.parts);
  if (last < 0) return undefined;
  const end = last + (form.parts.at(-1) ?? none).length;
  const { fieldsGap } = form;
  if (fieldsGap === undefined)
    return { to, mobile, text, textEnd, fields: end, fieldsEnd: end, end };
  // The last value ends its object: a quote and a brace.
  return { to, mobile, text, textEnd, fields: textEnd + fieldsGap, fieldsEnd: last + 2, end };
};

/** Where the last fixed part stands, behind the values of own fields; below 0 where one is not plain. */
const lastPart = (bytes: Uint8Array, from: number, parts: readonly Uint8Array[]): number => {
  let at = from;
  for (let index = 2; index < parts.length; index += 1) {
    const part = parts[index] ?? none;
    if (!standsAt(bytes, at, part)) return -1;
    if (index === parts.length - 1) return at;
    at = endOfField(bytes, at + part.length);
    if (at < 0) return -1;
  }
  return -1;
};

const [comma, quote, backslash] = [0x2c, 0x22, 0x5c];
const mobilePrefix = Buffer.from("010");
const forcing = Buffer.from(forcingPrefix);

/** The digits behind 010; below 0 for other numbers, and for those that say how their message ends. */
const mobileAt = (bytes: Uint8Array, at: number): number => {
  if (!standsAt(bytes, at, mobilePrefix) || standsAt(bytes, at, forcing)) return -1;
  let value = 0;
  for (let here = at + mobilePrefix.length; here < at + mobileDigits; here += 1) {
    const digit = (bytes[here] ?? 0) - 0x30;
    if (digit < 0 || digit > 9) return -1;
    value = value * 10 + digit;
  }
  return value;
};

/** Below 0 for a text that is escaped, holds a control or a surrogate pair, or is of another type. */
const endOfText = (bytes: Uint8Array, from: number, { leastText, mostText }: Form): number => {
  let size = 0;
  for (let at = from; size <= mostText; at += 1) {
    const code = bytes[at] ?? 0;
    if (code === quote) return size >= leastText ? at : -1;
    if (code < 0x80) {
      if (code < 0x20 || code === backslash || code === 0x7f) return -1;
      size += 1;
    } else if (code >= 0xc0) {
      // The C1 controls are C2 80 to C2 9F; four bytes make two UTF-16 units.
      if (code >= 0xf0 || (code === 0xc2 && (bytes[at + 1] ?? 0) < 0xa0)) return -1;
      size += 2;
    }
  }
  return -1;
};

/** Below 0 for a value that is escaped or long. */
const endOfField = (bytes: Uint8Array, from: number): number => {
  for (let at = from; at <= from + mostFieldBytes; at += 1) {
    const code = bytes[at] ?? 0;
    if (code === quote) return at;
    if (code < 0x20 || code === backslash) return -1;
  }
  return -1;
};
