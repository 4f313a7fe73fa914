import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readDate } from "../../../src/cli/parse/dates.ts";
import { seoulTime } from "../../../src/contract/time.ts";

const now = new Date("2026-03-10T12:00:00.000Z");
const read = (typed: string, timeZone = "Asia/Seoul", bound?: "from" | "until") =>
  readDate(typed, { now, timeZone, bound })?.toISOString();

describe("dates as people type them", () => {
  test.each([
    ["2026-01-15", "from", "2026-01-14T15:00:00.000Z"],
    ["2026-01-15", "until", "2026-01-15T14:59:59.999Z"],
    ["2026-01-15 09:00", undefined, "2026-01-15T00:00:00.000Z"],
    ["2026-01-15T09:00:00", undefined, "2026-01-15T00:00:00.000Z"],
    ["2026-01-15T09:00:00Z", undefined, "2026-01-15T09:00:00.000Z"],
    ["2026-01-15T09:00:00+0900", undefined, "2026-01-15T00:00:00.000Z"],
    ["7d", undefined, "2026-03-03T12:00:00.000Z"],
    ["24h", undefined, "2026-03-09T12:00:00.000Z"],
    ["today", "from", "2026-03-09T15:00:00.000Z"],
    ["today", "until", "2026-03-10T14:59:59.999Z"],
    ["now", undefined, "2026-03-10T12:00:00.000Z"],
    ["2026-01-15 9:00", undefined, "2026-01-15T00:00:00.000Z"],
    ["+10m", undefined, "2026-03-10T12:10:00.000Z"],
    ["in 2h", undefined, "2026-03-10T14:00:00.000Z"],
    ["+1d", undefined, "2026-03-11T12:00:00.000Z"],
    ["tomorrow", "from", "2026-03-10T15:00:00.000Z"],
    ["tomorrow 9:00", undefined, "2026-03-11T00:00:00.000Z"],
    ["내일 9:00", undefined, "2026-03-11T00:00:00.000Z"],
    ["오늘", "until", "2026-03-10T14:59:59.999Z"],
    ["어제 18:30", undefined, "2026-03-09T09:30:00.000Z"],
    ["yesterday", "from", "2026-03-08T15:00:00.000Z"],
  ] as const)("%s (%s)", (typed, bound, instant) => {
    expect(read(typed, "Asia/Seoul", bound)).toBe(instant);
  });

  test.each([
    "",
    "soon",
    "soon 9:00",
    "tomorrow 25:00",
    "tomorrow 9",
    "in",
    "-10m",
    "constructor",
    "2026-13-01",
    "2026-02-30",
    "2026-02-30T09:00",
    "26-01-15",
    "7 weeks",
    "999999d",
    "9999-12-31T23:30:00-09:00",
  ])("'%s' is no date", (typed) => {
    expect(read(typed)).toBeUndefined();
  });

  test("a day is read in its own offset where clocks change", () => {
    expect(read("2026-03-29", "Europe/Berlin", "from")).toBe("2026-03-28T23:00:00.000Z");
    expect(read("2026-03-29", "Europe/Berlin", "until")).toBe("2026-03-29T21:59:59.999Z");
  });

  test("where clocks are set forward, an hour that no clock shows is the one behind it", () => {
    expect(read("2026-03-29 02:30", "Europe/Berlin")).toBe("2026-03-29T01:30:00.000Z");
    expect(read("2026-04-24", "Africa/Cairo", "from")).toBe("2026-04-23T22:00:00.000Z");
  });

  test("where clocks are set back, an hour that they show twice is the first", () => {
    expect(read("2026-10-25 02:30", "Europe/Berlin")).toBe("2026-10-25T00:30:00.000Z");
  });

  test("a wall clock reading in any zone is that zone's reading of the instant", () => {
    const zones = fc.constantFrom(
      "Asia/Seoul",
      "UTC",
      "Europe/Berlin",
      "America/St_Johns",
      "Asia/Kathmandu",
    );
    const instants = fc.date({
      min: new Date("2000-01-01"),
      max: new Date("2040-01-01"),
      noInvalidDate: true,
    });
    fc.assert(
      fc.property(zones, instants, (timeZone, instant) => {
        const typed = instant.toLocaleString("sv-SE", { timeZone });
        const back = readDate(typed, { now, timeZone });
        expect(back?.toLocaleString("sv-SE", { timeZone })).toBe(typed);
      }),
      // Hours behind the clocks were set forward, and in UTC still before.
      { examples: [["America/St_Johns", new Date("2036-03-09T05:30:00.000Z")]] },
    );
  });

  test("Seoul wall clock for the app profits", () => {
    expect(seoulTime(new Date("2026-01-14T15:00:00.000Z"))).toBe("2026-01-15 00:00:00");
  });
});
