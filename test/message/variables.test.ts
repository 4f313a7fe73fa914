import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { template } from "../../src/message/variables.ts";

describe("variables of a text", () => {
  test.each([
    ["#{이름}님 #{amount}원", { 이름: "홍", amount: "1,000" }, "홍님 1,000원"],
    ["#{ name }", { name: "a" }, "a"],
    ["#{name}#{name}", { name: "a" }, "aa"],
    ["#{a b}", { "a b": "x" }, "x"],
    ["no variable, #{} and #{open", {}, "no variable, #{} and #{open"],
    ["#{a}", { a: "" }, ""],
  ])("%j", (text, values, expected) => {
    expect(template(text).fill(values).text).toBe(expected);
  });

  test("are filled in a single pass: values are never filled again", () => {
    expect(template("#{a}#{b}").fill({ a: "#{b}", b: "$&#{a}" }).text).toBe("#{b}$&#{a}");
    const piece = fc.constantFrom("a", "#{x}", "#{y}", "$1", "#", "{", "}");
    fc.assert(
      fc.property(fc.array(piece), fc.array(piece), (left, right) => {
        const values = { x: left.join(""), y: right.join("") };
        expect(template("<#{x}|#{y}>").fill(values).text).toBe(`<${values.x}|${values.y}>`);
      }),
    );
  });

  test("that have no value are named once and stay in the text", () => {
    expect(template("#{a}#{b}#{a}").fill({ b: "1" })).toEqual({
      text: "#{a}1#{a}",
      unfilled: ["a"],
      empty: [],
    });
  });

  test("have names without the blanks around them, however many there are", () => {
    const blank = " \t\n".repeat(300_000);
    expect(template(`#{${blank}a b${blank}}`).names).toEqual(["a b"]);
    for (const text of [`#{${blank}`, `#{a${blank}b`, `#{${blank}}`])
      expect(template(text)).toMatchObject({ names: [], parts: [text] });
    const piece = fc.constantFrom("a", " ", "\n", "\u00a0", "#{", "{", "}", "#", "  }");
    fc.assert(
      fc.property(fc.array(piece), (pieces) => {
        const text = pieces.join("");
        const plain = text.split(/#\{\s*([^{}]*[^{}\s])\s*\}/);
        expect(template(text).parts).toEqual(plain);
      }),
      { numRuns: 2_000 },
    );
  });

  test("are no built-in members of objects", () => {
    expect(template("#{constructor}").fill({}).unfilled).toEqual(["constructor"]);
  });

  test("of a text that is cut once are filled for many rows", () => {
    const cut = template("#{n}!");
    expect(cut.names).toEqual(["n"]);
    expect(["1", "2"].map((n) => cut.fill({ n }).text)).toEqual(["1!", "2!"]);
  });
});
