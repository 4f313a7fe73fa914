/**
 * Reads the results of an add without a value for each: ten thousand that are accepted, and differ in
 * texts alone, say no more than their number. The first is parsed, the others are compared with it
 * byte by byte; whatever looks otherwise in any place is left to the reader of JSON.
 */
import * as v from "valibot";
import { type Part, partOf, standsAt, viewOf } from "../bytes/part.ts";

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
  const end = endOfAlike(bytes, start, count);
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

/** Where so many results end that are like the first; undefined where they are not, or it is not accepted. */
const endOfAlike = (bytes: Buffer, start: number, count: number): number | undefined => {
  const first = resultAt(bytes, start);
  const second = first && resultAt(bytes, start + first.length + 1);
  if (!second || !v.is(justAccepted, parsed(first))) return undefined;
  const view = viewOf(bytes);
  const others = second.toString("latin1").match(texts) ?? [];
  // What the first two have in common is soon compared; where others do not have it, any text will do.
  return (
    endOfAll(view, start, count, formOf(first, others)) ??
    endOfAll(view, start, count, formOf(first, []))
  );
};

/** A result that others follow; undefined where it is not written as it would be here. */
const resultAt = (bytes: Buffer, start: number): Buffer | undefined => {
  const result = bytes.subarray(start, bytes.indexOf("},{", start) + 1);
  return JSON.stringify(parsed(result)) === result.toString("utf8") ? result : undefined;
};

/** What stands between the texts of a result that may be others: those that are not in `others` as well. */
const formOf = (result: Buffer, others: readonly string[]): readonly Part[] => {
  let name = "";
  let place = -1;
  const form = result.toString("latin1").replace(texts, (text, colon: string | undefined) => {
    place += 1;
    if (colon !== undefined) name = text;
    const isFixed = colon !== undefined || name === '"statusCode":' || text === others[place];
    return isFixed ? text : `"${slot}"`;
  });
  return form.split(slot).map((part) => partOf(Buffer.from(part, "latin1")));
};

/** Texts of JSON; behind the names of members stands a colon. */
const texts = /"(?:[^"\\]|\\.)*"(:)?/gs;
/** No text of JSON has it. */
const slot = "\u0000";

const endOfAll = (
  view: DataView,
  start: number,
  count: number,
  form: readonly Part[],
): number | undefined => {
  let at = start;
  for (let row = 0; row < count; row += 1) {
    if (row > 0) at += 1;
    if (row > 0 && (at > view.byteLength || view.getUint8(at - 1) !== comma)) return undefined;
    at = endOfOne(view, at, form);
    if (at < 0) return undefined;
  }
  return at;
};

/** Behind a result; -1 where it has another form. */
const endOfOne = (view: DataView, start: number, form: readonly Part[]): number => {
  let at = start;
  for (let index = 0; index < form.length; index += 1) {
    const part = form[index];
    if (index > 0) while (at < view.byteLength && plain[view.getUint8(at)] === 1) at += 1;
    if (part === undefined || !standsAt(view, at, part)) return -1;
    at += part.length;
  }
  return at;
};

/** Bytes of a text that stand for themselves; a quote, a backslash and control characters do not. */
const plain = Uint8Array.from({ length: 256 }, (_, byte) =>
  byte >= 0x20 && byte !== 0x22 && byte !== 0x5c ? 1 : 0,
);
