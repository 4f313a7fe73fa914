import { expect, test } from "vitest";
import { parseDuration } from "../../src/contract/time.ts";

test.each([
  ["250ms", 250],
  ["10s", 10_000],
  ["1.5s", 1_500],
  ["5m", 300_000],
  ["2h", 7_200_000],
  ["1d", 86_400_000],
  ["-15m", -900_000],
  ["+3s", 3_000],
  ["0", 0],
])("a duration is a number and a unit: %s", (text, ms) => {
  expect(parseDuration(text)).toBe(ms);
});

test.each(["", "10", "s", "1 s", "1w", "1h30m", "1e3s", "Infinitys"])("refuses '%s'", (text) => {
  expect(parseDuration(text)).toBeUndefined();
});
