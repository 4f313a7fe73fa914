/** A page of a list that is too large to be read as one value: its rows are read one after the other. */
import type { Page } from "../../contract/endpoint.ts";
import { endOfText, readJson } from "../../json/read-json.ts";

/** Bytes from which on a page is large. A usual one of 500 rows is a tenth of it. */
const largeBytes = 4 * 1024 * 1024;

/** A row, and its id where the list is an object keyed by ids. */
export type Entry = readonly [id: string | undefined, row: unknown];

export interface LargeList {
  /** The answer, its list empty. */
  readonly reply: unknown;
  readonly entries: () => Iterable<Entry>;
}

/**
 * Undefined for a page of usual size, and for one that is not such JSON: it is read as a whole then. All
 * rows are read once before the first is shown, so that a page is readable as a whole or not at all.
 */
export const largeList = (
  { items }: Page,
  body: Uint8Array,
  from = largeBytes,
): LargeList | undefined => {
  if (body.length < from) return undefined;
  const place = items === undefined ? placeOfAll(body) : placeOf(body, items);
  if (!place) return undefined;
  const brackets = body.subarray(place.from, place.from + 1);
  const closing = body.subarray(place.to - 1, place.to);
  const rest = [body.subarray(0, place.from), brackets, closing, body.subarray(place.to)];
  const reply = readJson(Buffer.concat(rest));
  if (reply === undefined) return undefined;
  for (const slice of slicesIn(body, place.from))
    if (!slice || readJson(body.subarray(slice.from, slice.to)) === undefined) return undefined;
  return { reply, entries: () => entriesIn(body, place.from) };
};

function* entriesIn(body: Uint8Array, open: number): Generator<Entry> {
  for (const slice of slicesIn(body, open))
    if (slice && slice.key !== "__proto__")
      yield [slice.key, readJson(body.subarray(slice.from, slice.to))];
}

interface Slice {
  readonly key?: string | undefined;
  readonly from: number;
  readonly to: number;
}

/** A list that is the whole answer. */
const placeOfAll = (body: Uint8Array): Slice | undefined => {
  const from = afterSpace(body, 0);
  return body[from] === bracket ? { from, to: endOfValue(body, from) } : undefined;
};

/** The list that is a member of the answer; undefined where none or several have its name. */
const placeOf = (body: Uint8Array, name: string): Slice | undefined => {
  const start = afterSpace(body, 0);
  if (body[start] !== brace) return undefined;
  const found: Slice[] = [];
  for (const slice of slicesIn(body, start)) {
    if (!slice) return undefined;
    if (slice.key === name) found.push(slice);
  }
  const [only] = found;
  const isList = only && (body[only.from] === brace || body[only.from] === bracket);
  return isList && found.length === 1 ? only : undefined;
};

const quote = 0x22;
const comma = 0x2c;
const colon = 0x3a;
const bracket = 0x5b;
const closingBracket = 0x5d;
const brace = 0x7b;
const closingBrace = 0x7d;

/** The elements of the array, or the members of the object, that opens here; undefined where it breaks. */
function* slicesIn(body: Uint8Array, open: number): Generator<Slice | undefined> {
  const isObject = body[open] === brace;
  const close = isObject ? closingBrace : closingBracket;
  let at = afterSpace(body, open + 1);
  if (body[at] === close) return;
  for (;;) {
    const key = isObject ? keyAt(body, at) : undefined;
    const from = key?.valueFrom ?? at;
    const to = endOfValue(body, from);
    if ((isObject && !key) || to <= from) return yield undefined;
    yield { key: key?.text, from, to };
    at = afterSpace(body, to);
    if (body[at] === close) return;
    if (body[at] !== comma) return yield undefined;
    at = afterSpace(body, at + 1);
  }
}

const keyAt = (body: Uint8Array, at: number) => {
  if (body[at] !== quote) return undefined;
  const end = endOfText(body, at) + 1;
  const text = readJson(body.subarray(at, end));
  const colonAt = afterSpace(body, end);
  if (typeof text !== "string" || body[colonAt] !== colon) return undefined;
  return { text, valueFrom: afterSpace(body, colonAt + 1) };
};

const isSpace = (byte: number | undefined): boolean =>
  byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;

const afterSpace = (body: Uint8Array, start: number): number => {
  let at = start;
  while (isSpace(body[at])) at += 1;
  return at;
};

/** The index after the value that begins here; whether it is one is for the reader of JSON to say. */
const endOfValue = (body: Uint8Array, start: number): number => {
  let depth = 0;
  for (let at = start; at < body.length; at += 1) {
    const byte = body[at];
    if (byte === quote) at = endOfText(body, at);
    else if (byte === brace || byte === bracket) depth += 1;
    else if (byte === closingBrace || byte === closingBracket) {
      if (depth === 0) return at;
      depth -= 1;
      if (depth === 0) return at + 1;
    } else if (depth === 0 && (byte === comma || isSpace(byte))) return at;
  }
  return body.length;
};
