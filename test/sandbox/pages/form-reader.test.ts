/** What people type into forms: numbers and lengths of time, and what is said of the rest. */
import { expect, test } from "vitest";
import { formReader } from "../../../src/sandbox/pages/form-reader.ts";

const whole = { from: 1, until: 1_000_000 };
const fraction = { from: -100, until: 100, isFraction: true };

test.each([
  ["12", whole, 12],
  [" 1,000 ", whole, 1000],
  ["+5", whole, 5],
  ["-2.5", fraction, -2.5],
  ["0", whole, undefined],
  ["2.5", whole, undefined],
  ["1000001", whole, undefined],
  ["1e3", whole, undefined],
  ["0x10", whole, undefined],
  ["many", whole, undefined],
  [",", whole, undefined],
])("the number '%s'", (text, range, value) => {
  const form = formReader(new URLSearchParams({ count: text }));
  expect(form.number("count", range)).toBe(value);
  expect(Object.keys(form.errors)).toEqual(value === undefined ? ["count"] : []);
});

test("an empty field is no number and wrong, unless it is optional", () => {
  const form = formReader(new URLSearchParams({ count: "  " }));
  expect(form.number("count", { ...whole, isOptional: true })).toBeUndefined();
  expect(form.errors).toEqual({});
  expect(form.number("count", whole)).toBeUndefined();
  expect(form.errors).toEqual({ count: "Enter a value." });
});

test.each([
  ["010-1234-5678", "01012345678", {}],
  ["12", undefined, { phone: "A number has 8 to 12 digits." }],
  ["", undefined, { phone: "Enter a value." }],
])("the telephone number '%s'", (typed, number, errors) => {
  const form = formReader(new URLSearchParams({ phone: typed }));
  expect(form.phone("phone")).toBe(number);
  expect(form.errors).toEqual(errors);
});

test.each([
  ["90", "s", "90s"],
  ["1.5", "h", "1.5h"],
  ["-5", "m", "-5m"],
  ["5", "weeks", undefined],
  ["", "m", undefined],
])("'%s' of '%s' as a length of time", (count, unit, value) => {
  const form = formReader(new URLSearchParams({ by: count, "by-unit": unit }));
  expect(form.duration("by", fraction)).toBe(value);
});

test.each([
  ["24", "h", "24h"],
  ["25", "h", undefined],
  ["2", "d", undefined],
])("'%s' of '%s', where a day is the most", (count, unit, value) => {
  const form = formReader(new URLSearchParams({ late: count, "late-unit": unit }));
  expect(form.duration("late", { ...whole, maxMs: 86_400_000 })).toBe(value);
  expect(Object.keys(form.errors)).toEqual(value === undefined ? ["late"] : []);
});
