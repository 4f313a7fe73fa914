import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { asRecord, readJson } from "../../src/json/read-json.ts";

const read = (text: string): unknown => readJson(Buffer.from(text));
const nested = (depth: number): string => "[".repeat(depth) + "]".repeat(depth);

describe("S14 JSON of somebody else", () => {
  test("64 levels are read, 65 and 100,000 are not", () => {
    expect(read(nested(64))).toBeDefined();
    expect(read(nested(65))).toBeUndefined();
    expect(read(nested(100_000))).toBeUndefined();
    expect(read("[".repeat(100_000))).toBeUndefined();
  });

  test("brackets in a text are no levels", () => {
    const text = `${"[".repeat(100)}\\"${"{".repeat(100)}`;
    expect(read(`{"text":"${text}"}`)).toEqual({ text: JSON.parse(`"${text}"`) });
  });

  test.each(['{"__proto__":{"polluted":1},"a":1}', '{"\\u005f_proto__":{"polluted":1},"a":1}'])(
    "%s reaches no prototype",
    (text) => {
      const value = Object.assign({}, asRecord(read(text)));
      expect(value).toEqual({ a: 1 });
      expect("polluted" in value).toBe(false);
    },
  );

  test("what is not JSON is nothing", () => {
    for (const text of ["", "<html>", '{"a":', '{"a":1}x', '"open', "\\"])
      expect(read(text)).toBeUndefined();
  });

  test("everything else is read as JSON.parse reads it", () => {
    const value = fc.jsonValue({ maxDepth: 8 });
    fc.assert(
      fc.property(value, (it) => {
        const text = JSON.stringify(it);
        fc.pre(!text.includes("__proto__"));
        expect(read(text)).toEqual(JSON.parse(text));
      }),
    );
  });
});
