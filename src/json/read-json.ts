/** Reads foreign JSON: bounded in depth, strict if nothing may be lost; and locates the fault of a text. */
import { t } from "../locale/locale.ts";

/** The value, without members that reach a prototype; undefined if the bytes are not JSON or nest too deep. */
export const readJson = (bytes: Uint8Array): unknown => {
  if (depthOf(bytes) > maxDepth) return undefined;
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("utf8");
  try {
    // `\u00` may hide the letters of the name; a reviver is slow and not needed for most answers.
    const isSuspect = text.includes("__proto__") || text.includes("\\u00");
    return isSuspect ? JSON.parse(text, withoutPrototype) : JSON.parse(text);
  } catch {
    return undefined;
  }
};

const withoutPrototype = (key: string, value: unknown): unknown =>
  key === "__proto__" ? undefined : value;

/** The value of a JSON text; undefined if it is not JSON. */
export const tryJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

const quote = 0x22;
const backslash = 0x5c;

/** Brackets open at once, without those inside texts; counting stops past the limit. */
const depthOf = (bytes: Uint8Array): number => {
  let depth = 0;
  let deepest = 0;
  for (let at = 0; at < bytes.length && deepest <= maxDepth; at += 1) {
    const byte = bytes[at];
    if (byte === quote) at = endOfText(bytes, at);
    else if (byte === 0x7b || byte === 0x5b) deepest = Math.max(deepest, ++depth);
    else if (byte === 0x7d || byte === 0x5d) depth -= 1;
  }
  return deepest;
};

/** The index of the quote that closes the text at `start`. */
const endOfText = (bytes: Uint8Array, start: number): number => {
  let at = start + 1;
  while (at < bytes.length && bytes[at] !== quote) at += bytes[at] === backslash ? 2 : 1;
  return at;
};

/** The members of an object; anything else has none. */
export const asRecord = (value: unknown): Readonly<Record<string, unknown>> =>
  isRecord(value) ? value : {};

/** A member of an object, or an element of a list; undefined if there is none. */
export const memberOf = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;

export const asText = (value: unknown): string | undefined =>
  typeof value === "string" ? value : undefined;

/** True for an object that is not a list. */
export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

export type JsonResult =
  | { readonly value: unknown; readonly fault?: undefined }
  | { readonly value?: undefined; readonly fault: JsonFault };

/**
 * Parses one value, stricter than the platform: no name twice, no digit lost. Duplicate names are found by
 * counting: a parsed object holds fewer names than were written. Only a text whose count is off, or that is
 * refused, is parsed exactly.
 */
export const parseJson = (text: string): JsonResult => {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    const fault = findJsonFault(text);
    return { fault: fault ?? { code: "Syntax", text: t`this is not JSON`, at: 0 } };
  }
  const kept = { names: 0, numbers: 0 };
  count(value, 0, kept);
  // Most rows hold no number; searching each for a long one takes longer than counting.
  if (kept.numbers > 0 && manyDigits.test(text)) value = JSON.parse(longNumbersAsTexts(text));
  if (kept.names === namesWritten(text) && !hasEscapedUnit(text)) return { value };
  const fault = findJsonFault(text);
  return fault ? { fault } : { value };
};

/** Counts names and numbers inside; names are NaN if the depth or a number requires the exact parser. */
const count = (value: unknown, depth: number, kept: { names: number; numbers: number }): void => {
  if (typeof value === "number") {
    kept.numbers += 1;
    if (!Number.isFinite(value)) kept.names = Number.NaN;
  }
  if (typeof value !== "object" || value === null) return;
  if (depth > maxDepth) kept.names = Number.NaN;
  else if (Array.isArray(value)) for (const member of value) count(member, depth + 1, kept);
  else if (isRecord(value))
    // Builds no list of names: there is one such object for each of a million rows.
    for (const name in value) {
      kept.names += 1;
      const member = value[name];
      if (typeof member !== "string") count(member, depth + 1, kept);
    }
};

/** Most rows hold no backslash at all: that is faster to find than that no letter follows one. */
const hasEscapedUnit = (text: string): boolean => text.includes("\\") && text.includes("\\u");

/**
 * Colons that follow a quote, blanks between them or not. Every name is counted; so is a text such as
 * `":)"`, which makes the count too high and never too low.
 */
const namesWritten = (text: string): number => {
  let count = 0;
  for (let at = text.indexOf(":"); at >= 0; at = text.indexOf(":", at + 1)) {
    let before = at - 1;
    while (before > 0 && text.charCodeAt(before) <= 32) before -= 1;
    if (text.charCodeAt(before) === quote) count += 1;
  }
  return count;
};

/** A number begins here that may have more digits than JavaScript keeps. Most texts hold few such places. */
const manyDigits = /(?:^|[:,[])\s*-?\d[\d.]{15}/;
const tokens = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g;

/** A number in an order may have more digits than JavaScript keeps; as text it keeps them all. */
const longNumbersAsTexts = (json: string): string =>
  json.replaceAll(tokens, (token) =>
    token.startsWith('"') || !manyDigits.test(token) || isKept(token) ? token : `"${token}"`,
  );

const isKept = (written: string): boolean => {
  const value = Number(written);
  return !Number.isFinite(value) || String(value) === written;
};

export interface JsonFault {
  readonly code: "Syntax" | "DuplicateKey" | "TooDeep" | "NumberTooLarge" | "HalfCharacter";
  readonly text: string;
  /** Index in the text, from 0. */
  readonly at: number;
}

/** The maximum depth of nested objects and arrays. */
export const maxDepth = 64;

/** The first fault of a text that should be one JSON value; undefined if there is none. */
const findJsonFault = (text: string): JsonFault | undefined => {
  try {
    const end = skip(text, value(text, 0, 0));
    if (end < text.length) throw new Found("Syntax", t`text follows the end of the value`, end);
    return undefined;
  } catch (error) {
    if (!(error instanceof Found)) throw error;
    return { code: error.code, text: error.message, at: error.at };
  }
};

/**
 * `line 2, column 7: a value is expected here`, for a text with a fault. The text there is not repeated, since
 * it may be a secret.
 */
export const describeJsonFault = (text: string, fault: JsonFault): string => {
  const before = text.slice(0, fault.at).split("\n");
  const place = t`line ${before.length}, column ${(before.at(-1) ?? "").length + 1}`;
  return `${place}: ${fault.code === "DuplicateKey" ? t`a name is given twice` : fault.text}`;
};

/** Leaves the descent; never leaves this file. */
class Found extends Error {
  readonly code: JsonFault["code"];
  readonly at: number;

  constructor(code: JsonFault["code"], message: string, at: number) {
    super(message);
    this.code = code;
    this.at = at;
  }
}

const skip = (text: string, from: number): number => {
  let at = from;
  while (" \t\n\r".includes(text[at] ?? "x")) at += 1;
  return at;
};

const unexpected = (text: string, at: number, wanted: string): Found =>
  new Found(
    "Syntax",
    at >= text.length
      ? t`the text ends where ${wanted} is expected`
      : t`${wanted} is expected here`,
    at,
  );

const number = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.+-])/y;
const word = /(?:true|false|null)(?!\w)/y;

/** The index after the value at `from`. The depth limit keeps the recursion shallow. */
const value = (text: string, from: number, depth: number): number => {
  const at = skip(text, from);
  if (depth > maxDepth) throw new Found("TooDeep", t`more than ${maxDepth} levels`, at);
  const first = text[at];
  if (first === "{") return object(text, at, depth);
  if (first === "[") return array(text, at, depth);
  if (first === '"') return string(text, at);
  for (const pattern of [number, word]) {
    pattern.lastIndex = at;
    if (!pattern.test(text)) continue;
    if (pattern === number && !Number.isFinite(Number(text.slice(at, pattern.lastIndex)))) {
      throw new Found("NumberTooLarge", t`this number is too large`, at);
    }
    return pattern.lastIndex;
  }
  throw unexpected(text, at, t`a value`);
};

const array = (text: string, from: number, depth: number): number => {
  let at = skip(text, from + 1);
  if (text[at] === "]") return at + 1;
  for (;;) {
    at = skip(text, value(text, at, depth + 1));
    if (text[at] === "]") return at + 1;
    if (text[at] !== ",") throw unexpected(text, at, t`a comma or ]`);
    at += 1;
  }
};

const object = (text: string, from: number, depth: number): number => {
  const keys = new Set<string>();
  let at = skip(text, from + 1);
  if (text[at] === "}") return at + 1;
  for (;;) {
    at = skip(text, at);
    if (text[at] !== '"') throw unexpected(text, at, t`a name in quotes`);
    const end = string(text, at);
    const key = String(JSON.parse(text.slice(at, end)));
    if (keys.has(key)) throw new Found("DuplicateKey", t`"${key}" is given twice`, at);
    keys.add(key);
    at = skip(text, end);
    if (text[at] !== ":") throw unexpected(text, at, t`a colon`);
    at = skip(text, value(text, at + 1, depth + 1));
    if (text[at] === "}") return at + 1;
    if (text[at] !== ",") throw unexpected(text, at, t`a comma or }`);
    at += 1;
  }
};

const known = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;
const high = /\\u[dD][89abAB]/y;
const low = /\\u[dD][c-fC-F]/y;

const string = (text: string, from: number): number => {
  let at = from + 1;
  for (;;) {
    const character = text[at];
    if (character === undefined) throw new Found("Syntax", t`this text is not closed`, from);
    if (character === '"') return at + 1;
    if (character < " ") throw new Found("Syntax", t`this text contains a control character`, at);
    at = character === "\\" ? escaped(text, at) : at + 1;
  }
};

const matches = (pattern: RegExp, text: string, at: number): boolean => {
  pattern.lastIndex = at;
  return pattern.test(text);
};

/** The index after an escape, or after the two escapes of a surrogate pair. */
const escaped = (text: string, at: number): number => {
  if (!matches(known, text, at)) throw new Found("Syntax", t`unknown escape`, at);
  const end = known.lastIndex;
  if (matches(low, text, at) || (matches(high, text, at) && !matches(low, text, end))) {
    throw new Found("HalfCharacter", t`this escape is half a character`, at);
  }
  if (!matches(high, text, at)) return end;
  if (!matches(known, text, end)) throw new Found("Syntax", t`unknown escape`, end);
  return known.lastIndex;
};
