/** Columns line up whatever is written in them. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { sanitize } from "../../../src/output/text/safe.ts";
import { aligned, displayWidth, truncateToWidth } from "../../../src/output/text/width.ts";

test("Hangul, Chinese and emoji take two columns, marks none", () => {
  const cases = { abc: 3, 안녕: 4, 日本: 4, "😀": 2, "🇰🇷": 2, "❤️": 2, é: 1, "e\u0301": 1, "…": 1 };
  for (const [text, columns] of Object.entries(cases))
    expect(displayWidth(text), text).toBe(columns);
});

test("a text is cut between whole characters", () => {
  expect(truncateToWidth("안녕하세요", 6)).toBe("안녕…");
  expect(truncateToWidth("안녕하세요", 5)).toBe("안녕…");
  expect(truncateToWidth("a🇰🇷🇰🇷", 4)).toBe("a🇰🇷…");
  expect(truncateToWidth("abc", 3)).toBe("abc");
  expect(truncateToWidth("abc", 1)).toBe("…");
  expect(truncateToWidth("abc", 0)).toBe("");
});

test("padding goes to either side", () => {
  expect(aligned("한", 4)).toBe("한  ");
  expect(aligned("한", 4, "right")).toBe("  한");
});

test("any safe text fills exactly the columns it is given", () => {
  const texts = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.string({ unit: fc.constantFrom("한", "글", "😀", "🇰🇷", "👍🏽", "a", "\u0301", "❤️", " ") }),
  );
  fc.assert(
    fc.property(texts, fc.integer({ min: 1, max: 40 }), (text, columns) => {
      expect(displayWidth(aligned(sanitize(text), columns))).toBe(columns);
    }),
  );
});
