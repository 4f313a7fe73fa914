/** A body that is read without being parsed says what the schema reads in it, whatever byte of it is another. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { contract } from "../../../src/contract/index.ts";
import { type Alike, readAlike } from "../../../src/sandbox/checks/alike.ts";
import { validator } from "../../../src/sandbox/checks/validate.ts";

const validate = validator(contract.addGroupMessages);

/** The same messages as values; their members stand in the order of the first. */
const valuesOf = ({ body, first, rows }: Alike): unknown => {
  const { count, textGap, fieldsGap } = rows;
  const part = (from: number, to: number): string =>
    Buffer.from(body.subarray(from, to)).toString();
  return Array.from({ length: count }, (_, row) => {
    const [to = 0, textEnd = 0] = [rows.to[row], rows.textEnd[row]];
    const fields = part(textEnd + fieldsGap, rows.fieldsEnd[row] ?? 0);
    return {
      ...{ ...first, to: part(to, to + 11), text: part(to + 11 + textGap, textEnd) },
      ...(fields !== "" && { customFields: JSON.parse(fields) }),
    };
  });
};

const shapes = fc.record({
  count: fc.integer({ min: 1, max: 3 }),
  type: fc.constantFrom(undefined, "SMS", "LMS"),
  isTypeFirst: fc.boolean(),
  names: fc.constantFrom([], ["run"], ["run", "row"], ["1", "2"]),
  text: fc.constantFrom("a", "hello", "안녕", "é\u00a0", "a".repeat(90), "가".repeat(46)),
});

const bodies = shapes.map(({ count, type, isTypeFirst, names, text }) => {
  const messages = Array.from({ length: count }, (_, at) => ({
    ...(isTypeFirst && type && { type }),
    ...{ to: `0105000000${at}`, from: "0200000000", text },
    ...(names.length > 0 && {
      customFields: Object.fromEntries(names.map((name) => [name, `v${at}`])),
    }),
    ...(!isTypeFirst && type && { type }),
  }));
  return Buffer.from(JSON.stringify({ messages }));
});

/** One byte is another, one more, or missing. */
const changes = fc.record({
  at: fc.nat({ max: 999 }),
  bytes: fc.oneof(
    fc.constantFrom(...'"\\,{}[]: 019aA').map((sign) => [sign.charCodeAt(0)]),
    fc.nat({ max: 255 }).map((byte) => [byte]),
    fc.constant<number[]>([]),
  ),
  isMore: fc.boolean(),
});

test("whatever byte is another, more or missing", () => {
  let taken = 0;
  fc.assert(
    fc.property(bodies, changes, (whole, { at, bytes, isMore }) => {
      const place = Math.floor((at * whole.length) / 1_000);
      const behind = whole.subarray(isMore ? place : place + 1);
      const body = Buffer.concat([whole.subarray(0, place), Buffer.from(bytes), behind]);
      const alike = readAlike(body);
      if (alike === undefined) return;
      taken += 1;
      const read = validate({ groupId: "G1" }, "", body).body;
      expect(JSON.stringify({ messages: valuesOf(alike) })).toBe(JSON.stringify(read));
    }),
    { numRuns: 4_000 },
  );
  expect(taken).toBeGreaterThan(100);
});
