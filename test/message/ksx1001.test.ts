import { readFileSync } from "node:fs";
import fc from "fast-check";
import iconv from "iconv-lite";
import { describe, expect, test } from "vitest";
import { firstOutsideKsx1001, isInKsx1001 } from "../../src/message/characters.ts";
import { sizeInBytes } from "../../src/message/type.ts";
import { completedCharacters, completedSetSource } from "./ksx1001-source.ts";

const units = Array.from({ length: 0x10000 }, (_, code) => String.fromCharCode(code));
const inCp949 = (character: string) =>
  iconv.decode(iconv.encode(character, "cp949"), "cp949") === character;

describe("the size of a text", () => {
  test("P14 equals iconv-lite's CP949 for each of its 17,176 characters, and is 2 for all others", () => {
    const known = units.filter(inCp949);
    expect(known.length).toBe(17_176);
    const wrong = known.filter((it) => sizeInBytes(it) !== iconv.encode(it, "cp949").length);
    expect(wrong).toEqual([]);
    expect(units.filter((it) => !inCp949(it) && sizeInBytes(it) !== 2)).toEqual([]);
  });

  test("counts a line break as 1, Hangul as 2, an emoji as 4", () => {
    expect(["\n", "가", "똠", "😀", "a가\n"].map(sizeInBytes)).toEqual([1, 2, 2, 4, 4]);
  });

  test("P14 of a text is the sum of its parts, long texts and broken pairs included", () => {
    const unit = fc.constantFrom("a", "é", "가", "😀", "\uD800", "\uDC00", "~", "\u0080");
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 30 }), fc.nat(300), (text, times) => {
        const sum = text.split("").reduce((total, it) => total + sizeInBytes(it), 0);
        expect(sizeInBytes(text.repeat(times))).toBe(sum * times);
      }),
    );
  });
});

describe("the completed set", () => {
  test("holds ASCII and the 8,226 characters of KS X 1001, 2,350 syllables among them", () => {
    const expected = new Set([...units.slice(0, 0x80), ...completedCharacters()]);
    expect(expected.size).toBe(128 + 8226);
    const wrong = units.filter((it) => isInKsx1001(it.charCodeAt(0)) !== expected.has(it));
    expect(wrong).toEqual([]);
    const syllables = units.slice(0xac00, 0xd7a4).filter((it) => expected.has(it));
    expect(syllables.length).toBe(2350);
  });

  test("the committed table is what iconv-lite says", () => {
    const table = new URL("../../src/message/ksx1001-table.ts", import.meta.url);
    expect(readFileSync(table, "utf8")).toBe(completedSetSource());
  });

  test.each([
    ["안녕하세요, Kim! ①㈜", -1],
    ["똠방각하", 0],
    ["가똠", 1],
    ["hi 😀", 3],
    ["café", 3],
  ])("the first character outside of %j stands at %i", (text, at) => {
    expect(firstOutsideKsx1001(text)).toBe(at);
  });
});
