import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readInstant } from "../../../src/sandbox/checks/dates.ts";

describe("readInstant", () => {
  test.each([
    ["2026-01-05T09:00:00Z", "2026-01-05T09:00:00.000Z"],
    ["2026-01-05T18:00:00+09:00", "2026-01-05T09:00:00.000Z"],
    ["2026-01-05T09:00:00.123Z", "2026-01-05T09:00:00.123Z"],
    ["2026-01-05T18:00:00.123456+09:00", "2026-01-05T09:00:00.123Z"],
    ["2026-01-05T09:00:00.123456789Z", "2026-01-05T09:00:00.123Z"],
    ["2026-01-05T18:00:00+0900", "2026-01-05T09:00:00.000Z"],
    ["2026-01-05T03:30:00-05:30", "2026-01-05T09:00:00.000Z"],
    ["2026-01-05 18:00:00", "2026-01-05T09:00:00.000Z"],
    ["2026-01-05T18:00:00", "2026-01-05T09:00:00.000Z"],
    ["2026-01-05T18:00", "2026-01-05T09:00:00.000Z"],
    ["2026-01-05t09:00:00z", "2026-01-05T09:00:00.000Z"],
    ["2026-01-05T18:00:00.32400Z", "2026-01-05T18:00:00.324Z"],
  ])("reads '%s', Seoul time where no zone is named", (text, expected) => {
    expect(readInstant(text)?.toISOString()).toBe(expected);
  });

  test("a day alone is a day of Seoul, its end included where it bounds from above", () => {
    expect(readInstant("2026-01-15")?.toISOString()).toBe("2026-01-14T15:00:00.000Z");
    expect(readInstant("2026-01-15", "from")?.toISOString()).toBe("2026-01-14T15:00:00.000Z");
    expect(readInstant("2026-01-15", "until")?.toISOString()).toBe("2026-01-15T14:59:59.999Z");
    expect(readInstant("2026-01-15T00:00:00Z", "until")?.toISOString()).toBe(
      "2026-01-15T00:00:00.000Z",
    );
  });

  test.each([
    "",
    "today",
    "2026-02-30",
    "2026-13-01",
    "2026-01-05T25:00:00Z",
    "2026-01-05T09:60:00Z",
    "2026-01-05Z",
    "2026-1-5",
    "20260105T090000Z",
    "2026-01-05T09:00:00Zx",
    "2026-01-05T09:00:00+99:00",
    "1767603600000",
  ])("refuses '%s'", (text) => {
    expect(readInstant(text)).toBeUndefined();
  });

  test("reads back every instant that the platform writes", () => {
    const instants = fc.date({
      min: new Date("0001-01-01T00:00:00Z"),
      max: new Date("9999-12-31T00:00:00Z"),
      noInvalidDate: true,
    });
    fc.assert(
      fc.property(instants, (instant) => {
        expect(readInstant(instant.toISOString())).toEqual(instant);
      }),
    );
  });
});
