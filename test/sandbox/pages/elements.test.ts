import { expect, test } from "vitest";
import { formatPhone, formatRecent } from "../../../src/sandbox/pages/elements.ts";

test.each([
  ["01012345678", "010-1234-5678"],
  ["0212345678", "02-1234-5678"],
  ["021234567", "02-123-4567"],
  ["0311234567", "031-123-4567"],
  ["15881234", "1588-1234"],
  ["", ""],
  ["+8210<b>", "+8210&#60;b&#62;"],
])("the number %s is shown as %s", (number, shown) => {
  expect(formatPhone(number).text).toBe(`<bdi>${shown}</bdi>`);
});

test("a list shows the time of today, and the day of what is older, by Korea's calendar", () => {
  const now = Date.parse("2026-01-15T16:00:00Z");
  expect(formatRecent(Date.parse("2026-01-15T15:30:00Z"), now).text).toContain(">00:30<");
  expect(formatRecent(Date.parse("2026-01-15T14:30:00Z"), now).text).toContain(">01-15<");
});
