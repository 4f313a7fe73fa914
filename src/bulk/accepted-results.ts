/**
 * Reads the results of an add without a value for each: ten thousand that are accepted, and differ in
 * texts alone, say no more than their number. The first is parsed, the others are compared with it
 * byte by byte; whatever looks otherwise in any place is left to the reader of JSON.
 */
import * as v from "valibot";

/** What the service says of an add where it has taken every row, but for those. */
const nothingRefused = v.object({ errorCount: v.literal(0), resultList: v.strictTuple([]) });
const justAccepted = v.object({ statusCode: v.literal("2000") });
const justList = v.object({ resultList: v.strictTuple([]) });

/** Undefined where the answer is not this many accepted results, or may not be. */
export const readAccepted = (
  body: Uint8Array,
  count: number,
): v.InferOutput<typeof nothingRefused> | undefined => {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  const found = bytes.subarray(0, mostHead).indexOf(opening);
  if (found < 0) return undefined;
  const start = found + opening.length;
  const form = formOf(bytes, start);
  const end = form && endOfAlike(bytes, start, count, form);
  if (end === undefined) return undefined;
  // The list has to be a member of the answer itself, and its only one of that name.
  const upToIt = parsed(bytes.subarray(0, start), closing);
  const around = parsed(bytes.subarray(0, start), bytes.subarray(end));
  return v.is(justList, upToIt) && v.is(nothingRefused, around) ? around : undefined;
};

const parsed = (...json: readonly Uint8Array[]): unknown => {
  try {
    return JSON.parse(Buffer.concat(json).toString("utf8"));
  } catch {
    return undefined;
  }
};

const opening = Buffer.from('"resultList":[');
const closing = Buffer.from("]}");
const mostHead = 1_000;
const comma = 0x2c;

/** Where so many results end, of which each has the form of the first. */
const endOfAlike = (
  bytes: Uint8Array,
  start: number,
  count: number,
  form: Uint8Array,
): number | undefined => {
  let at = start;
  for (let row = 0; row < count; row += 1) {
    if (row > 0 && bytes[at++] !== comma) return undefined;
    at = endOfOne(bytes, at, form);
    if (at < 0) return undefined;
  }
  return at;
};

/** Behind a result; -1 where it has another form. Byte by byte: calls would cost more than they do. */
const endOfOne = (bytes: Uint8Array, start: number, form: Uint8Array): number => {
  let at = start;
  for (let place = 0; place < form.length; place += 1) {
    const byte = form[place];
    if (byte === slot) while (plain[bytes[at] ?? 0] === 1) at += 1;
    else if (bytes[at] === byte) at += 1;
    else return -1;
  }
  return at;
};

/** Bytes of a text that stand for themselves; a quote, a backslash and control characters do not. */
const plain = Uint8Array.from({ length: 256 }, (_, byte) =>
  byte >= 0x20 && byte !== 0x22 && byte !== 0x5c ? 1 : 0,
);

/** In place of a text that may be another one in every result; no byte of JSON. */
const slot = 0;

/** The first result with slots for its texts; undefined where it is not accepted, or oddly written. */
const formOf = (bytes: Buffer, start: number): Uint8Array | undefined => {
  const first = bytes.subarray(start, bytes.indexOf("},{", start) + 1);
  const value = parsed(first);
  const isPlain = JSON.stringify(value) === first.toString("utf8");
  if (!isPlain || !v.is(justAccepted, value)) return undefined;
  let name = "";
  const form = first.toString("latin1").replace(texts, (text, colon: string | undefined) => {
    if (colon !== undefined) name = text;
    const isFixed = colon !== undefined || name === '"statusCode":';
    return isFixed ? text : `"${String.fromCharCode(slot)}"`;
  });
  return Uint8Array.from(Buffer.from(form, "latin1"));
};

/** Texts of JSON; behind the names of members stands a colon. */
const texts = /"(?:[^"\\]|\\.)*"(:)?/gs;
