/** Where and why a text is not the JSON that is taken: the one place that knows, only run when something is off. */
import { t } from "../locale/locale.ts";

export interface JsonFault {
  readonly code: "Syntax" | "DuplicateKey" | "TooDeep" | "NumberTooLarge" | "HalfCharacter";
  readonly text: string;
  /** Index in the text, from 0. */
  readonly at: number;
}

/** Objects and arrays inside one another, at most. */
export const maxDepth = 64;

/** The first fault of a text that should be one JSON value; undefined where there is none. */
export const findJsonFault = (text: string): JsonFault | undefined => {
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
 * `line 2, column 7: a value is expected here`, for a text that is not JSON. What stands there is not
 * repeated, since it may be a secret.
 */
export const describeJsonFault = (text: string): string => {
  const fault = findJsonFault(text);
  const before = text.slice(0, fault?.at ?? 0).split("\n");
  const place = t`line ${before.length}, column ${(before.at(-1) ?? "").length + 1}`;
  return fault?.code === "Syntax" ? `${place}: ${fault.text}` : place;
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
