import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { idOf, seoulDay, seqOf } from "../../../src/sandbox/store/ids.ts";

const kind = fc.constantFrom("message", "group");
const seq = fc.integer({ min: 1, max: 36 ** 7 - 1 });
const time = fc.integer({ min: Date.UTC(2000, 0), max: Date.UTC(9998, 0) });
const seed = fc.integer();

describe("ids", () => {
  test("an id has 32 characters, its kind, and Korean time", () => {
    const id = idOf("message", { seq: 1, created: Date.UTC(2026, 0, 5, 15, 30, 7) }, 1);
    expect(id).toMatch(/^M4V20260106003007[0-9A-Z]{15}$/);
    expect(id).toHaveLength(32);
  });

  test("the way back leads to the row that the id was made for, and to no other seed or kind", () => {
    fc.assert(
      fc.property(kind, seq, time, seed, (kind, seq, time, seed) => {
        const id = idOf(kind, { seq, created: time }, seed);
        expect(id).toMatch(/^[MG]4V\d{14}[0-9A-Z]{15}$/);
        expect(seqOf(kind, id, seed)).toBe(seq);
        expect(seqOf(kind === "message" ? "group" : "message", id, seed)).toBe(0);
      }),
    );
  });

  test("ids of one instant grow with insertion", () => {
    fc.assert(
      fc.property(kind, seq, seq, time, seed, (kind, a, b, time, seed) => {
        fc.pre(a !== b);
        expect(
          idOf(kind, { seq: a, created: time }, seed) < idOf(kind, { seq: b, created: time }, seed),
        ).toBe(a < b);
      }),
    );
  });

  test("a guessed id names no row", () => {
    const id = idOf("group", { seq: 5, created: 0 }, 1);
    expect(
      seqOf(
        "group",
        id.replace(/.$/, (last) => (last === "A" ? "B" : "A")),
        1,
      ),
    ).toBe(0);
    expect(seqOf("group", "", 1)).toBe(0);
    expect(seqOf("group", "G4V1", 1)).toBe(0);
  });

  test("the day is that of UTC+9", () => {
    expect(seoulDay(Date.UTC(2026, 0, 5, 14, 59, 59, 999))).toBe("20260105");
    expect(seoulDay(Date.UTC(2026, 0, 5, 15))).toBe("20260106");
  });
});
