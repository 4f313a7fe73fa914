import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type NumberOptions, normaliseNumber, normaliseSender } from "../../src/message/numbers.ts";

describe("I11 a number is made into digits", () => {
  test.each<[string, string, NumberOptions?]>([
    ["01000000001", "01000000001"],
    ["010-0000-0001", "01000000001"],
    [" 010 0000 0001 ", "01000000001"],
    ["010.0000.0001", "01000000001"],
    ["(02) 000-0000", "020000000"],
    ["０１０－００００－０００１", "01000000001"],
    ["010\u20110000\u20130001", "01000000001"],
    ["\u202A01000000001\u202C", "01000000001"],
    ["'01000000001", "01000000001"],
    ["+82 10-0000-0001", "01000000001"],
    ["+82 (0)10 0000 0001", "01000000001"],
    ["0082 10 0000 0001", "01000000001"],
    ["821000000001", "01000000001"],
    ["+82-2-000-0000", "020000000"],
    ["82-2-000-0000", "020000000"],
    ["82-2-000-0000", "020000000", { fixLeadingZero: true }],
    ["82 31 000 0000", "0310000000", { fixLeadingZero: true }],
    ["82 (0)10 0000 0001", "01000000001"],
    ["82 1588 0000", "15880000"],
    ["+82 1588-0000", "15880000"],
    ["1588-0000", "15880000"],
    ["1012345678", "01012345678", { fixLeadingZero: true }],
    ["+1 (212) 555-0100", "2125550100", { country: "1" }],
    ["212-555-0100", "2125550100", { country: "1" }],
    ["00 1 212-555-0100", "2125550100", { country: "1" }],
  ])("%j is %s", (text, digits, options) => {
    expect(normaliseNumber(text, options)).toEqual({ digits });
  });
});

describe("I11 what cannot be one number is refused with its fix", () => {
  test.each<[string, string, string, NumberOptions?]>([
    ["", "1010", "no number"],
    ["  ", "1010", "no number"],
    ["1012345678", "1011", "write 01012345678, or use --fix-leading-zero"],
    ["2125550100", "1011", "is not a Korean phone number", { fixLeadingZero: true }],
    ["1212345678", "1011", "is not a Korean phone number", { fixLeadingZero: true }],
    ["8200000000", "1011", "is not a Korean phone number", { fixLeadingZero: true }],
    ["1.01E+10", "1011", "shortened by a spreadsheet"],
    ["1E10", "1011", "shortened by a spreadsheet"],
    ["1012345678.0", "1011", "turned into a decimal by a spreadsheet"],
    ["1012345678.", "1011", "turned into a decimal by a spreadsheet"],
    ["0200000/0200001", "1011", "more than one number"],
    ["0100000000101000", "1011", "more than one number"],
    [
      "01000000001, 01000000002",
      "1011",
      "more than one number: give each its own row, or its own --to",
    ],
    ["01000000001/01000000002", "1011", "more than one number"],
    ["01000000001 01000000002", "1011", "more than one number"],
    ["010-0000-0001\n010-0000-0002", "1011", "more than one number"],
    ["010-0000-000l", "1011", "digits only"],
    ["김철수", "1011", "digits only"],
    ["+1 212 555 0100", "1011", "another country"],
    ["+44 20 7946 0000", "1011", "does not belong to country 1", { country: "1" }],
    ["0044 20 7946 0000", "1011", "does not belong to country 1", { country: "1" }],
  ])("%j is %s: %s", (text, code, words, options) => {
    const { problem } = normaliseNumber(text, options);
    expect(problem?.code).toBe(code);
    expect(problem?.text).toContain(words);
    if (text.trim() !== "") expect(problem?.text).toContain(`"${text}"`);
  });
});

describe("for any text", () => {
  const written = fc.string({
    unit: fc.constantFrom(..."0123456789+-. ()E０１\u2010,/a'\n82"),
    maxLength: 24,
  });
  const options = fc.record(
    { country: fc.constantFrom("82", "1", "81"), fixLeadingZero: fc.boolean() },
    { requiredKeys: [] },
  );

  test("the result is digits alone, or a problem", () => {
    fc.assert(
      fc.property(written, options, (text, given) => {
        const { digits, problem } = normaliseNumber(text, given);
        expect(digits === undefined).toBe(problem !== undefined);
        if (digits !== undefined) expect(digits).toMatch(/^\d+$/);
      }),
      { numRuns: 2000 },
    );
  });

  test("normalising twice is normalising once", () => {
    fc.assert(
      fc.property(written, options, (text, given) => {
        const { digits } = normaliseNumber(text, given);
        fc.pre(digits !== undefined);
        expect(normaliseNumber(digits, given)).toEqual({ digits });
      }),
      { numRuns: 2000 },
    );
  });
});

describe("a sender", () => {
  test.each([
    ["02-000-0000", "1", "020000000"],
    ["+82 2 000 0000", "1", "020000000"],
    ["212-555-0100", "1", "2125550100"],
    ["+1 212 555 0100", "1", "2125550100"],
    ["02-000-0000", undefined, "020000000"],
  ])("%j of a message to country %s is %s", (text, country, digits) => {
    expect(normaliseSender(text, country)).toEqual({ digits });
  });

  test("that lost its zero is refused at home", () => {
    expect(normaliseSender("212-555-0100", "82").problem?.code).toBe("1011");
  });
});
