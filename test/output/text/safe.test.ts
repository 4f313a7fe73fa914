/** Foreign text never moves, hides or reorders what a person reads. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { truncate } from "../../../src/errors.ts";
import { sanitize, withoutControls } from "../../../src/output/text/safe.ts";
import { anyText } from "../any-text.ts";

describe("safe", () => {
  test("T01 every C0 and C1 byte and DEL becomes visible", () => {
    const codes = [...Array(32).keys(), ...Array.from({ length: 33 }, (_, at) => 0x7f + at)];
    for (const code of codes) {
      const shown = sanitize(`a${String.fromCharCode(code)}b`);
      const named = { 9: "\\t", 10: "\\n", 13: "\\r" }[code];
      expect(shown).toBe(`a${named ?? `\\x${code.toString(16).padStart(2, "0")}`}b`);
    }
  });

  test("T01 escape sequences lose their force and stay readable", () => {
    expect(sanitize("\u001b[31mred\u001b]0;title\u0007\u009b2J\u001bP\u0090")).toBe(
      "\\x1b[31mred\\x1b]0;title\\x07\\x9b2J\\x1bP\\x90",
    );
  });

  test("T02 bidi, zero-width, isolates, tags and blank letters are named", () => {
    expect(sanitize("a\u202eb")).toBe("a<U+202E>b");
    const hidden = "\u061c\u200b\u200f\u202a\u2060\u2066\u2069\ufeff\u00ad\u2028\u3164\u{e0041}";
    expect(sanitize(hidden)).toMatch(/^(?:<U\+[0-9A-F]+>)+$/);
    expect(sanitize("\u{e0041}")).toBe("<U+E0041>");
  });

  test("the joiner stays inside of an emoji, and nowhere else", () => {
    for (const emoji of [
      "👩\u200d💻",
      "👨\u200d👩\u200d👧",
      "🏃🏽\u200d♀\ufe0f",
      "❤\ufe0f\u200d🔥",
    ])
      expect(sanitize(emoji)).toBe(emoji);
    expect(sanitize("a\u200db, 👩\u200d, \u200d👩")).toBe("a<U+200D>b, 👩<U+200D>, <U+200D>👩");
  });

  test("T02 a flood of 10,000 combining marks is limited", () => {
    const shown = sanitize(`a${"\u0301".repeat(10_000)}b`);
    expect(shown).toBe(`a${"\u0301".repeat(8)}…b`);
  });

  test("lone surrogates are named, pairs stay", () => {
    expect(sanitize("\ud800x\udc00")).toBe("<U+D800>x<U+DC00>");
    expect(sanitize("😀")).toBe("😀");
  });

  test("ordinary writing is untouched", () => {
    for (const text of ["안녕하세요 ABC", "héllo\u0301", "日本語", "❤️ 🇰🇷", "العربية", "C:\\new"])
      expect(sanitize(text)).toBe(text);
  });

  test("T01 T02 no text at all yields a control or format character", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(sanitize(text)).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u);
      }),
    );
  });

  test("withoutControls keeps what people write and shows the rest", () => {
    expect(withoutControls("👩\u200d💻\u001b\ud800")).toBe("👩\u200d💻\\x1b<U+D800>");
    fc.assert(
      fc.property(anyText, (text) => {
        expect(withoutControls(text)).not.toMatch(/[\p{Cc}\p{Cs}]/u);
      }),
    );
  });
});

test("atMost cuts long text at whole characters and says so", () => {
  expect(truncate("abc", 3)).toBe("abc");
  expect(truncate("abcd", 3)).toBe("abc…");
  expect(truncate("ab😀d", 3)).toBe("ab…");
});
