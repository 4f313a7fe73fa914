/** The curve of the balance: round scales, every dip kept, the last value always the last. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { curveOf, heightOf, plot, positionsOf, scaleOf } from "../../../src/sandbox/pages/chart.ts";

describe("the scale", () => {
  test.each([
    { values: [0, 1_050_000], ticks: [0, 500_000, 1_000_000, 1_500_000] },
    { values: [1_000_000, 999_980], ticks: [999_980, 999_985, 999_990, 999_995, 1_000_000] },
    { values: [777], ticks: [0, 500, 1000, 1500, 2000] },
    { values: [0], ticks: [0, 1] },
  ])("of $values", ({ values, ticks }) => {
    expect(scaleOf(values).ticks).toEqual(ticks);
  });

  test("is whole, evenly spaced and holds every value", () => {
    const wons = fc.array(fc.integer({ min: 0, max: 1_000_000_000_000 }), { minLength: 1 });
    fc.assert(
      fc.property(wons, (values) => {
        const { low, high, ticks } = scaleOf(values);
        expect(ticks.every(Number.isInteger)).toBe(true);
        expect([ticks[0], ticks.at(-1)]).toEqual([low, high]);
        expect(ticks.length).toBeLessThanOrEqual(7);
        for (const value of values) {
          const height = heightOf(value, scaleOf(values));
          expect(height).toBeGreaterThanOrEqual(0);
          expect(height).toBeLessThanOrEqual(plot.height);
        }
      }),
    );
  });
});

describe("the curve", () => {
  test("of one value is a line across the whole plot", () => {
    expect(curveOf([500], [0], { low: 0, high: 1000, ticks: [] })).toBe("M0 150H1000");
  });

  test("of two is a step in the middle", () => {
    expect(curveOf([0, 1000], [0, 0.5], { low: 0, high: 1000, ticks: [] })).toBe(
      "M0 300H500V0H1000",
    );
  });

  test("a value begins where its time lies, and never before one that was written earlier", () => {
    expect(positionsOf([0, 50], 100)).toEqual([0, 0.5]);
    // The clock was moved back, and the page is shown before the last movement.
    expect(positionsOf([0, 80, 20, 100], 50)).toEqual([0, 0.8, 0.8, 1]);
    expect(positionsOf([5, 5, 5, 5], 5)).toEqual([0, 0.25, 0.5, 0.75]);
  });

  test("of 10,000 values, as many as a page shows, holds each, and so does the scale", () => {
    const values = Array.from({ length: 10_000 }, (_, at) => 100_000 - at);
    values[4321] = 7;
    const begins = values.map((_, at) => at / values.length);
    const curve = curveOf(values, begins, scaleOf(values));
    expect(curve.match(/V/g)?.length).toBe(9999);
    expect(curve).toContain(`H432.1V${heightOf(7, scaleOf(values))}H`);
  });
});
