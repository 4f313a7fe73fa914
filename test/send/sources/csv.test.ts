import { parse } from "csv-parse/sync";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type CsvRecord, CsvScanner } from "../../../src/send/sources/csv.ts";
import { TextFault } from "../../../src/send/sources/source-fault.ts";

const scan = (pieces: readonly string[], delimiter = ","): CsvRecord[] => {
  const scanner = new CsvScanner(delimiter);
  return [...pieces.flatMap((piece) => scanner.push(piece)), ...scanner.end()];
};
const cells = (text: string, delimiter = ",") => scan([text], delimiter).map((it) => it.cells);

const faultOf = (pieces: readonly string[]) => {
  try {
    scan(pieces);
    return undefined;
  } catch (error) {
    if (!(error instanceof TextFault)) throw error;
    return [error.code, error.line, error.column];
  }
};

/** What csv-parse says of the same text; undefined where it refuses it. */
const oracle = (text: string): string[][] | undefined => {
  try {
    return parse(text, {
      relax_column_count: true,
      skip_empty_lines: true,
      record_delimiter: ["\n", "\r\n"],
    });
  } catch {
    return undefined;
  }
};

const encode = (rows: readonly (readonly string[])[], lineEnd: string) =>
  rows
    .map((row) => row.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(",") + lineEnd)
    .join("");

const symbols = fc.string({
  unit: fc.constantFrom('"', ",", "\n", "\r\n", "a", "가", " ", "😀", "1"),
  maxLength: 40,
});
const tables = fc.array(fc.array(fc.string({ unit: "grapheme" }), { minLength: 1, maxLength: 5 }), {
  minLength: 1,
});

describe("a table", () => {
  test("comes back from quoted CSV as it was, whatever its cells hold", () => {
    fc.assert(
      fc.property(tables, fc.constantFrom("\n", "\r\n"), (rows, lineEnd) => {
        expect(cells(encode(rows, lineEnd))).toEqual(rows);
      }),
    );
  });

  test("is read the same however the text is cut into pieces", () => {
    fc.assert(
      fc.property(symbols, (text) => {
        const whole = faultOf([text]) ?? scan([text]);
        for (let at = 0; at <= text.length; at += 1) {
          const pieces = [text.slice(0, at), text.slice(at)];
          expect(faultOf(pieces) ?? scan(pieces)).toEqual(whole);
        }
        expect(faultOf([...text]) ?? scan([...text])).toEqual(whole);
      }),
    );
  });

  test("is read as csv-parse reads it, and refused where csv-parse refuses it", () => {
    fc.assert(
      fc.property(symbols, (text) => {
        const fault = faultOf([text]);
        if (fault) expect(oracle(text)).toBeUndefined();
        else expect(cells(text)).toEqual(oracle(text));
      }),
      { numRuns: 2000 },
    );
  });

  test("keeps its lines: records know where they begin, empty lines count", () => {
    const text = 'a,b\n\n"1\n2",x\r\nlast,"y"';
    expect(scan([text]).map((it) => it.line)).toEqual([1, 3, 5]);
  });

  test("of tabs keeps commas", () => {
    expect(cells('a\tb\n1,5\t"x\ty"\n', "\t")).toEqual([
      ["a", "b"],
      ["1,5", "x\ty"],
    ]);
  });
});

describe("a fault is told with line and column", () => {
  test.each([
    ["a quote left open", 'a,b\n1,"x\ny\n', ["OpenQuote", 2, 3]],
    ["a quote inside a cell", 'a,b\n1,x"y\n', ["StrayQuote", 2, 4]],
    ["text after a quote", 'a,b\n"1" ,x\n', ["TextAfterQuote", 2, 4]],
    ["text after a quote of several lines", '"1\n2"x\n', ["TextAfterQuote", 2, 3]],
    ["I03 a lone carriage return", "a,b\n1\r2\n", ["LoneReturn", 2, 2]],
    ["I03 a lone carriage return at the end", "a,b\r", ["LoneReturn", 1, 4]],
    ["I03 a lone carriage return beside a quote", '"a",b\rc\n', ["LoneReturn", 1, 6]],
    ["I02 10,000 columns", `a\n${",".repeat(9_999)}\n`, ["TooManyCells", 2, 1]],
  ])("%s", (_, text, expected) => {
    expect(faultOf([text])).toEqual(expected);
  });

  test("I02 an unterminated quote at row 100,000 is found where it was opened, with flat memory", () => {
    const rows = "01000000001,hello\n".repeat(1000);
    const pieces = [...Array<string>(100).fill(rows), '"01000000001,hello\n', rows];
    expect(faultOf(pieces)).toEqual(["OpenQuote", 100_001, 1]);
  });

  test("I02 a cell of 50 MB is refused after its first megabyte", () => {
    const scanner = new CsvScanner(",");
    let taken = 0;
    const feed = () => {
      scanner.push('a\n"');
      for (; taken < 50; taken += 1) scanner.push("x".repeat(1024 * 1024));
    };
    expect(feed).toThrow("longer than 1 MB");
    expect(taken).toBeLessThan(3);
  });

  test("I02 a row of 50 MB without quotes is refused", () => {
    const scanner = new CsvScanner(",");
    const feed = () => {
      for (let taken = 0; taken < 50; taken += 1) scanner.push("x,".repeat(512 * 1024));
    };
    expect(feed).toThrow("longer than 4 MB");
  });
});
