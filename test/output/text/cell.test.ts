/** The text of a value, for people and for programs. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { plainText, tableText } from "../../../src/output/text/cell.ts";
import { viewOf } from "../sink.ts";

const inSeoul = tableText(viewOf());

test("tables show times in the zone of the view, to the second", () => {
  expect(inSeoul("2026-01-05T09:00:00.000Z")).toBe("2026-01-05 18:00:00");
  expect(inSeoul("2026-01-05T18:00:00+09:00")).toBe("2026-01-05 18:00:00");
  expect(inSeoul("2026-01-05T15:00:00Z")).toBe("2026-01-06 00:00:00");
  expect(tableText(viewOf({ timeZone: "UTC" }))("2026-01-05T09:00:00Z")).toBe(
    "2026-01-05 09:00:00",
  );
});

const zones = ["Asia/Seoul", "UTC", "America/New_York", "Australia/Lord_Howe", "Asia/Kathmandu"];
const instants = fc.date({
  min: new Date("1972-01-01"),
  max: new Date("2100-01-01"),
  noInvalidDate: true,
});

test("a time is what Intl says, also where the clocks are set", () => {
  fc.assert(
    fc.property(fc.constantFrom(...zones), fc.array(instants, { minLength: 1 }), (zone, dates) => {
      const inZone = tableText(viewOf({ timeZone: zone }));
      const format = new Intl.DateTimeFormat("sv-SE", {
        ...{ timeZone: zone, dateStyle: "short", timeStyle: "medium" },
      });
      for (const date of dates) expect(inZone(date.toISOString())).toBe(format.format(date));
    }),
  );
  const inNewYork = tableText(viewOf({ timeZone: "America/New_York" }));
  expect(inNewYork("2026-03-08T06:59:59Z")).toBe("2026-03-08 01:59:59");
  expect(inNewYork("2026-03-08T07:00:00Z")).toBe("2026-03-08 03:00:00");
  expect(inSeoul("0000-01-01T00:00:00Z")).toBe("0000-01-01 00:00:00");
});

test("what only looks like a time stays as it is", () => {
  for (const text of [
    "2026-01-05",
    "2026-13-45T99:00:00Z",
    "2026-01-05T09:00",
    "at 2026-01-05T09:00:00Z",
  ])
    expect(inSeoul(text)).toBe(text);
});

test("tables group numbers and say yes and no", () => {
  const cases = [
    [1_000_000, "1,000,000"],
    [-1234.5678, "-1,234.57"],
    [12.299999999999999, "12.3"],
    [0.0625, "0.0625"],
    [999, "999"],
    [1e21, "1e+21"],
    [12345678901234567890n, "12,345,678,901,234,567,890"],
    [true, "yes"],
    [false, "no"],
    [null, ""],
    [undefined, ""],
    ["1000000", "1000000"],
  ] as const;
  for (const [value, text] of cases) expect(inSeoul(value)).toBe(text);
});

test("programs get plain numbers, true and false, and the service's own times", () => {
  const cases = [
    [1_000_000, "1000000"],
    [true, "true"],
    [null, ""],
    [undefined, ""],
    ["2026-01-05T09:00:00.000Z", "2026-01-05T09:00:00.000Z"],
    [{ a: [1, null], b: "x" }, '{"a":[1,null],"b":"x"}'],
    [[], "[]"],
  ] as const;
  for (const [value, text] of cases) expect(plainText(value)).toBe(text);
});
