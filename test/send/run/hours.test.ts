/** How near its hour a message may still be scheduled. */
import { expect, test } from "vitest";
import { assertOnTime } from "../../../src/send/run/hours.ts";

const at = "2026-01-15T09:00:00.000Z";
const before = (ms: number) => () => assertOnTime(at, () => Date.parse(at) - ms);

test("a request that schedules leaves no later than five seconds before the hour", () => {
  expect(before(5_001)).not.toThrow();
  expect(before(5_000)).toThrow(expect.objectContaining({ exitCode: 2, outcome: "not_sent" }));
});
