import fc from "fast-check";
import { expect, test } from "vitest";
import { monthsAfter } from "../../../src/contract/time.ts";
import { expiredSpans, isRetained } from "../../../src/sandbox/rules/retention.ts";

const after = (time: string, months: number): string =>
  new Date(monthsAfter(Date.parse(time), months)).toISOString();

test.each([
  ["2026-01-05T09:00:00.000Z", 6, "2026-07-05T09:00:00.000Z"],
  ["2026-07-05T09:00:00.000Z", -6, "2026-01-05T09:00:00.000Z"],
  // The 31st of August in Korea has no counterpart in February.
  ["2026-08-31T00:00:00.000Z", -6, "2026-02-28T00:00:00.000Z"],
  ["2027-08-31T00:00:00.000Z", 6, "2028-02-29T00:00:00.000Z"],
  // 15:30 UTC on the last of the month is the first of the next in Korea.
  ["2026-01-31T15:30:00.000Z", 1, "2026-02-28T15:30:00.000Z"],
])("%s and %i months", (time, months, expected) => {
  expect(after(time, months)).toBe(expected);
});

const day = 86_400_000;

test("the order of days survives, so many months on", () => {
  const monthsEnd = fc.nat(1_200).map((month) => Date.UTC(2000, month, 28));
  const days = fc.nat(5 * day);
  fc.assert(
    fc.property(monthsEnd, days, days, fc.integer({ min: -24, max: 24 }), (end, a, b, months) => {
      const left = monthsAfter(end + Math.min(a, b), months);
      const right = monthsAfter(end + Math.max(a, b), months);
      // Within one short month several days share its last one, with their times of day.
      expect(left - right).toBeLessThan(day);
    }),
    { numRuns: 1000 },
  );
});

test("the spans that lists leave out are those of records that are gone", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: Date.UTC(2024, 0), max: Date.UTC(2029, 0) }),
      fc.integer({ min: -5 * day, max: 5 * day }),
      (ms, offset) => {
        const created = monthsAfter(ms, -6) + offset;
        const isGone = expiredSpans(ms).some(
          ([from, until]) => created >= from && created <= until,
        );
        expect(isGone).toBe(!isRetained(created, ms));
      },
    ),
    { numRuns: 2000 },
  );
});
