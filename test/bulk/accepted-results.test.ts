/** An add that took every row is read without a value for each: never as more than its JSON says. */
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readAccepted } from "../../src/bulk/accepted-results.ts";

interface Result {
  readonly messageId: string;
  readonly statusCode: string;
  readonly to: string;
  readonly customFields?: Readonly<Record<string, string>>;
  readonly statusMessage: string;
}

const accepted = { errorCount: 0, resultList: [] };

/** What a result may be told apart by; quotes and the like among it. */
const words = fc.oneof(
  fc.constantFrom("", "M4V1", '"', "\\", "},{", "\u0000", "고객", "😀", '","statusCode":"3104'),
  fc.string({ maxLength: 4 }),
);

const results = (codes: fc.Arbitrary<string>): fc.Arbitrary<readonly Result[]> =>
  fc.boolean().chain((tagged) =>
    fc.array(
      fc.record({
        messageId: words,
        statusCode: codes,
        to: fc.constantFrom("01000000001", "01000000002"),
        ...(tagged && { customFields: fc.record({ "msg.row": words }) }),
        statusMessage: words,
      }),
      { minLength: 1, maxLength: 6 },
    ),
  );

const bodyOf = (resultList: readonly unknown[], errorCount = 0): Buffer =>
  Buffer.from(JSON.stringify({ errorCount, resultList }));

/** Whether the answer is what `accepted` stands for, read the slow way. */
const isAllAccepted = (body: Uint8Array, count: number): boolean => {
  try {
    const { errorCount, resultList } = JSON.parse(Buffer.from(body).toString("utf8"));
    return (
      errorCount === 0 &&
      resultList.length === count &&
      resultList.every((it: Result) => it.statusCode === "2000")
    );
  } catch {
    return false;
  }
};

describe("an answer to an add", () => {
  test("of results that differ in texts alone is read as accepted", () => {
    const plain = fc.stringMatching(/^[ !#-[\]-~가-힣]{0,6}$/);
    const alike = fc.array(
      fc.record({
        messageId: plain,
        statusCode: fc.constant("2000"),
        to: plain,
        price: fc.constant(18),
      }),
      { minLength: 3, maxLength: 6 },
    );
    fc.assert(
      fc.property(alike, (list) => {
        expect(readAccepted(bodyOf(list), list.length)).toEqual(accepted);
      }),
    );
  });

  test("is read where a text changes that the first ones have in common", () => {
    const list = ["SMS", "SMS", "LMS", "SMS"].map((type) => ({ statusCode: "2000", type }));
    expect(readAccepted(bodyOf(list), 4)).toEqual(accepted);
  });

  test("is read whatever else it says, before the results or behind them", () => {
    const list = [1, 2, 3].map((it) => ({ messageId: `M${it}`, statusCode: "2000" }));
    const read = (value: object) => readAccepted(Buffer.from(JSON.stringify(value)), 3);
    expect(read({ resultList: list, errorCount: 0, more: { resultList: [1] } })).toMatchObject(
      accepted,
    );
    expect(read({ note: '"resultList":[{', errorCount: 0, resultList: list })).toMatchObject(
      accepted,
    );
    expect(read({ more: { resultList: list }, errorCount: 0, resultList: [] })).toBeUndefined();
  });

  const taken = { statusCode: "2000" };
  const refused = { statusCode: "1062" };

  test.each<[string, readonly unknown[], number, number]>([
    ["with a refused one", [taken, taken, refused, taken], 0, 4],
    ["with a refused second one", [taken, refused, taken], 0, 3],
    ["with a refused first one", [refused, taken, taken], 0, 3],
    ["that counts errors", [taken, taken, taken], 1, 3],
    ["with one too few", [taken, taken, taken], 0, 4],
    ["with one too many", [taken, taken, taken], 0, 2],
    ["with another number", [1, 1, 2].map((n) => ({ ...taken, n })), 0, 3],
  ])("%s is left to the reader of JSON", (_, list, errors, count) => {
    expect(readAccepted(bodyOf(list, errors), count)).toBeUndefined();
  });

  test("whose names are written in another way is left to the reader of JSON", () => {
    const odd =
      '{"errorCount":0,"resultList":[{"statusC\\u006fde":"2000"},{"statusC\\u006fde":"2000"},{"statusC\\u006fde":"3104"}]}';
    const twice = `{"errorCount":0,"resultList":[${Array(3).fill('{"statusCode":"1","statusCode":"2000"}')}]}`;
    expect(readAccepted(Buffer.from(odd), 3)).toBeUndefined();
    expect(readAccepted(Buffer.from(twice), 3)).toBeUndefined();
  });

  test("is never read as accepted where its JSON says otherwise", () => {
    const codes = fc.constantFrom("2000", "2000", "2000", "2000", "1062", "20000", "");
    fc.assert(
      fc.property(results(codes), fc.integer({ min: 0, max: 6 }), (list, count) => {
        const body = bodyOf(list);
        if (readAccepted(body, count)) expect(isAllAccepted(body, count)).toBe(true);
      }),
      { numRuns: 2_000 },
    );
  });

  test("that came in damaged is never read as accepted where it is not", () => {
    const damage = fc.record({
      at: fc.nat(),
      cut: fc.integer({ min: 0, max: 3 }),
      put: fc.uint8Array({ maxLength: 3 }),
    });
    fc.assert(
      fc.property(results(fc.constant("2000")), damage, (list, { at, cut, put }) => {
        const whole = bodyOf(list);
        const place = at % whole.length;
        const body = Buffer.concat([whole.subarray(0, place), put, whole.subarray(place + cut)]);
        if (readAccepted(body, list.length)) expect(isAllAccepted(body, list.length)).toBe(true);
      }),
      { numRuns: 2_000 },
    );
  });
});
