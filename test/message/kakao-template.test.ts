import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  buttonsDiffer,
  fillTemplate,
  matchesTemplate,
  templateProblems,
} from "../../src/message/kakao-template.ts";

const codes = (parts: Parameters<typeof templateProblems>[0]) =>
  templateProblems(parts).map((it) => it.code);
const web = { buttonType: "WL", buttonName: "View", linkMo: "https://example.com/#{no}" };

describe("what a template may hold", () => {
  test("buttons of all eight kinds are accepted with the addresses that they need", () => {
    const kinds = ["DS", "BK", "MD", "BC", "BT"].map((buttonType) => ({
      buttonType,
      buttonName: "name",
    }));
    const app = { buttonType: "AL", buttonName: "app", linkAnd: "app://a", linkIos: "app://b" };
    expect(codes({ name: "n", content: "c", buttons: kinds })).toEqual([]);
    expect(codes({ buttons: [web, app, { buttonType: "AC", buttonName: "add" }] })).toEqual([]);
  });

  test.each([
    ["an unknown kind", { buttons: [{ buttonType: "XX", buttonName: "n" }] }, ["1044"]],
    ["a web link without address", { buttons: [{ ...web, linkMo: null }] }, ["1045"]],
    [
      "an app link with one address",
      { buttons: [{ buttonType: "AL", buttonName: "n", linkAnd: "a:b" }] },
      ["1045"],
    ],
    ["a long address", { buttons: [{ ...web, linkMo: `https://${"a".repeat(100)}` }] }, ["1048"]],
    ["a long name", { buttons: [{ ...web, buttonName: "n".repeat(15) }] }, ["1049"]],
    ["six buttons", { buttons: Array(6).fill(web) }, ["1050"]],
    ["an empty content", { content: "" }, ["InvalidValue"]],
    ["1,001 characters", { content: "가".repeat(1001) }, ["InvalidValue"]],
    ["a name of 101 characters", { name: "n".repeat(101) }, ["InvalidValue"]],
  ])("%s is refused", (_words, parts, expected) => {
    expect(codes(parts)).toEqual(expected);
  });

  test("1,000 characters and a name of 100 are the most", () => {
    expect(codes({ name: "n".repeat(100), content: "가".repeat(1000) })).toEqual([]);
  });
});

describe("whether a text keeps to its template", () => {
  test.each([
    ["#{name}님, 환영합니다.", "민지님, 환영합니다.", true],
    ["#{name}님, 환영합니다.", "님, 환영합니다.", true],
    ["#{name}님, 환영합니다.", "민지님, 환영합니다!", false],
    ["#{a}-#{b}-#{c}", "1-2-3", true],
    ["#{a}-#{b}-#{c}", "1-2", false],
    ["plain", "plain", true],
    ["plain", "plain ", false],
    ["#{name}님", "#{name}님", false],
    ["aa#{x}aa", "aaa", false],
  ])("%s and %s: %s", (content, text, matches) => {
    expect(matchesTemplate(content, text)).toBe(matches);
  });

  test("a filled template always matches, whatever the values are", () => {
    const part = fc.string({ maxLength: 8 }).map((it) => it.replace(/[#{}]/g, ""));
    const value = fc.string({ maxLength: 12 }).map((it) => it.replace(/[#{}]/g, ""));
    fc.assert(
      fc.property(fc.array(fc.tuple(part, value), { maxLength: 6 }), part, (pairs, end) => {
        const content = pairs.map(([text], at) => `${text}#{v${at}}`).join("") + end;
        const values = Object.fromEntries(pairs.map(([, it], at) => [`v${at}`, it]));
        const { text, missing } = fillTemplate({ content }, values);
        expect(missing).toEqual([]);
        expect(matchesTemplate(content, text)).toBe(true);
      }),
    );
  });

  test("a text made to mislead is compared to its end", () => {
    expect(matchesTemplate(`${"#{a}a".repeat(200)}#{a}b#{a}a`, "a".repeat(50_000))).toBe(false);
  });
});

test("missing and unused variables are named, those of buttons too, in either spelling", () => {
  const filled = fillTemplate(
    { content: "#{name}님 #{shop}", buttons: [web] },
    { "#{name}": "민지", "#{ shop }": "꽃집", other: "x" },
  );
  expect(filled.text).toBe("민지님 꽃집");
  expect(filled.missing).toEqual(["no"]);
  expect(filled.unused).toEqual(["other"]);
});

test("a variable may be called as a member of every object is", () => {
  const { missing, empty } = fillTemplate({ content: "#{toString} #{constructor}" }, {});
  expect({ missing, empty }).toEqual({ missing: ["toString", "constructor"], empty: [] });
});

describe("buttons of a message beside those of its template", () => {
  const other = { buttonType: "BK", buttonName: "Help" };
  test.each([
    ["the same, filled", [{ ...web, linkMo: "https://example.com/12" }, other], undefined],
    ["fewer", [web], "1046"],
    ["more", [web, other, other], "1047"],
    ["another order", [other, web], "1052"],
    ["another address", [{ ...web, linkMo: "https://evil.example" }, other], "1045"],
  ])("%s: %s", (_words, given, code) => {
    expect(buttonsDiffer([web, other], given)?.code).toBe(code);
  });
});
