/** Which worker a recipient is of: workers of two versions of msg may work on one source. */
import { expect, test } from "vitest";
import { partOf } from "../../../src/send/parts/part.ts";

test.each([
  ["01000000001", [2, 8, 952]],
  ["01000000002", [1, 5, 949]],
  ["01099999999", [1, 3, 987]],
])("%s belongs to the same of 2, of 8 and of 1,000 workers for good", (to, expected) => {
  expect([2, 8, 1_000].map((of) => partOf(of, "82", to))).toEqual(expected);
});
