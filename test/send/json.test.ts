import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseJson } from "../../src/json/read-json.ts";
import { JsonArrayScanner, JsonlScanner, type JsonRow } from "../../src/send/sources/json-rows.ts";
import { TextFault } from "../../src/send/sources/source-fault.ts";

type Scanner = { push: (piece: string) => JsonRow[]; end: () => JsonRow[] };

const scan = (scanner: Scanner, pieces: readonly string[]) => [
  ...pieces.flatMap((piece) => scanner.push(piece)),
  ...scanner.end(),
];

const outcome = (scanner: Scanner, pieces: readonly string[]) => {
  try {
    return scan(scanner, pieces);
  } catch (error) {
    if (!(error instanceof TextFault)) throw error;
    return [error.code, error.line, error.column];
  }
};
const jsonl = (text: string) => outcome(new JsonlScanner(), [text]);
const array = (text: string) => outcome(new JsonArrayScanner(), [text]);

const everyCut = (make: () => Scanner, text: string) => {
  const whole = outcome(make(), [text]);
  for (let at = 0; at <= text.length; at += 1) {
    expect(outcome(make(), [text.slice(0, at), text.slice(at)])).toEqual(whole);
  }
  expect(
    outcome(
      make(),
      [...text].flatMap((it) => it.split("")),
    ),
  ).toEqual(whole);
};

/** JSON of JavaScript values, without what is refused on purpose. */
const values = fc
  .jsonValue({ depthSize: "small" })
  .filter((value) => !JSON.stringify(value).includes("\\u"));

describe("one JSON value", () => {
  test("is what JSON.parse makes of it", () => {
    fc.assert(
      fc.property(values, fc.constantFrom(undefined, 2, "\t"), (value, indent) => {
        const text = JSON.stringify(value, undefined, indent);
        expect(parseJson(text)).toEqual({ value: JSON.parse(text) });
      }),
    );
  });

  test("I10 is refused exactly where JSON.parse refuses it, with a place inside the text", () => {
    const soup = fc.string({
      unit: fc.constantFrom(
        "{",
        "}",
        "[",
        "]",
        ":",
        ",",
        '"',
        "\\",
        "a",
        "1",
        ".",
        "e",
        "-",
        " ",
        "null",
        "\n",
      ),
      maxLength: 12,
    });
    const good = fc.constantFrom('{"a":[1,"b"]}', '[{"a":"b"},null]', '{"a":1.5e3,"b":"c"}');
    const mutated = fc.tuple(good, fc.nat(20), fc.nat(3), soup).map(([text, at, cut, into]) => {
      return text.slice(0, at) + into.slice(0, 2) + text.slice(at + cut);
    });
    fc.assert(
      fc.property(fc.oneof(soup, mutated), (text) => {
        const { fault } = parseJson(text);
        if (fault?.code !== "Syntax") return;
        expect(() => JSON.parse(text)).toThrow(SyntaxError);
        expect(fault.text).not.toBe("this is not JSON");
        expect(fault.at).toBeLessThanOrEqual(text.length);
      }),
      { numRuns: 5000 },
    );
  });

  test.each([
    ["I04 duplicate keys", '{"a":1,"b":2,"a":3}', "DuplicateKey", 13],
    ["I04 duplicate keys beside blanks and colons", '{"a" :":)","a" : 2}', "DuplicateKey", 11],
    ["I04 duplicate keys spelt differently", '{"a":1,"\\u0061":2}', "DuplicateKey", 7],
    ["I04 duplicate keys deep inside", '{"a":{"b":[{"c":1,"c":2}]}}', "DuplicateKey", 18],
    ["I04 1e400", '{"a":1e400}', "NumberTooLarge", 5],
    ["I04 NaN", '{"a":NaN}', "Syntax", 5],
    ["I04 a lone surrogate", '{"a":"x\\ud800"}', "HalfCharacter", 7],
    ["I04 a lone low surrogate", '{"a":"\\uDC00"}', "HalfCharacter", 6],
    ["I04 trailing garbage", '{"a":1} x', "Syntax", 8],
    ["I04 10^6 levels", "[".repeat(1_000_000), "TooDeep", 65],
    ["I04 10^6 closed levels", `${"[".repeat(1_000_000)}${"]".repeat(1_000_000)}`, "TooDeep", 65],
    ["an unknown escape", '{"a":"\\x"}', "Syntax", 6],
    ["a raw control character", '{"a":"\t"}', "Syntax", 6],
    ["a number with a leading zero", '{"a":01}', "Syntax", 5],
    ["a text that is not closed", '{"a":"b', "Syntax", 5],
  ])("%s is refused with its position", (_, text, code, at) => {
    expect(parseJson(text).fault).toMatchObject({ code, at });
  });

  test("may hold surrogate pairs, written as escapes or not", () => {
    expect(parseJson('{"a":"\\ud83d\\ude00😀"}').value).toEqual({ a: "😀😀" });
  });

  test("keeps every digit of a number: as a text where a number cannot", () => {
    const text = '{"a":12345678901234567890,"b":"x 12345678901234567890 \\"1","c":[0.1,1e21]}';
    const value = { a: "12345678901234567890", b: 'x 12345678901234567890 "1', c: [0.1, 1e21] };
    expect(parseJson(text)).toEqual({ value });
    for (const number of ["-0.12345678901234567890", "1000000000000000000000", "9007199254740993"])
      expect(parseJson(number).value).toBe(number);
    for (const number of ["9007199254740992", "0.30000000000000004", "1.5e+300", "1.10"])
      expect(parseJson(number).value).toBe(Number(number));
    expect(parseJson("1234567890123456e400").fault?.code).toBe("NumberTooLarge");
  });

  test("may hold the names of built-in members", () => {
    expect(parseJson('{"__proto__":"x","constructor":"y"}').fault).toBeUndefined();
  });
});

describe("JSON lines", () => {
  test("give the values of JSON.parse with their lines", () => {
    fc.assert(
      fc.property(fc.array(values, { minLength: 1 }), (rows) => {
        const text = rows.map((row) => JSON.stringify(row)).join("\r\n");
        const found = scan(new JsonlScanner(), [text]);
        expect(found.map((it) => it.value)).toEqual(
          rows.map((row) => JSON.parse(JSON.stringify(row))),
        );
        expect(found.map((it) => it.line)).toEqual(rows.map((_, at) => at + 1));
      }),
    );
  });

  test("are read the same however they are cut", () => {
    everyCut(() => new JsonlScanner(), '{"a":"가😀\\""}\n\n{"b":\n[1]\r\n{"c":2}');
  });

  test("I05 the last line needs no line feed", () => {
    expect(jsonl('{"a":1}\n{"a":2}')).toMatchObject([{ value: { a: 1 } }, { value: { a: 2 } }]);
  });

  test("I05 a truncated last line is a fault of that row, never half a row", () => {
    expect(jsonl('{"a":1}\n{"a":2,"b":"x')).toMatchObject([
      { value: { a: 1 } },
      { number: 2, line: 2, problem: { code: "Syntax", row: 2, line: 2, column: 12 } },
    ]);
  });

  test("a faulty line does not spoil the others", () => {
    expect(jsonl('{"a":1}\n{"a":1,"a":2}\n{"a":3}\n')).toMatchObject([
      { value: { a: 1 } },
      { line: 2, problem: { code: "DuplicateKey", row: 2, line: 2, column: 8 } },
      { number: 3, line: 3, value: { a: 3 } },
    ]);
  });
});

describe("a JSON list", () => {
  const layouts = fc.constantFrom<(rows: unknown) => string>(
    (rows) => JSON.stringify(rows),
    (rows) => JSON.stringify(rows, undefined, 2),
    (rows) => JSON.stringify({ messages: rows }),
    (rows) => ` \n${JSON.stringify({ messages: rows }, undefined, "\t")}\n`,
  );

  test("gives the elements that JSON.parse gives", () => {
    fc.assert(
      fc.property(fc.array(values), layouts, (rows, layout) => {
        const found = scan(new JsonArrayScanner(), [layout(rows)]);
        expect(found.map((it) => it.value)).toEqual(JSON.parse(JSON.stringify(rows)));
      }),
    );
  });

  test("is read the same however it is cut", () => {
    everyCut(() => new JsonArrayScanner(), ' [\n {"a":"]},\\"{"},\n\n{"b":[1,{}]} ,"x\\\\",12 ]\n');
    everyCut(() => new JsonArrayScanner(), '{ "messages" : [{"a":1}] }');
    everyCut(() => new JsonArrayScanner(), '[{"a":1},{"a":}]');
  });

  test("knows number, line and column of each element", () => {
    expect(array('[{"a":1},\n  {"b":2,"b":2}, {"c":3}, {"d":4,"d":4}]')).toMatchObject([
      { number: 1, line: 1 },
      { number: 2, line: 2, problem: { row: 2, line: 2, column: 10 } },
      { number: 3, line: 2 },
      { number: 4, line: 2, problem: { row: 4, line: 2, column: 34 } },
    ]);
  });

  test.each([
    ["a comma too many", "[1,\n]", ["Syntax", 2, 1]],
    ["a missing comma", "[1 2]", ["Syntax", 1, 4]],
    ["I04 trailing garbage", "[1]\n x", ["TrailingText", 2, 2]],
    ["a list that is cut off", '[{"a":1},', ["Syntax", 1, 10]],
    ["an element that is cut off", '[{"a":1},\n{"a":"x', ["Syntax", 2, 1]],
    ["a fault inside an element", '[{"a":1},\n{"a" 2}]', ["Syntax", 2, 6]],
    ["a fault in a later line of an element", '[\n{"a":1,\n"b" 2}]', ["Syntax", 3, 5]],
    ["another member beside the messages", '{"messages":[1],"to":"1"}', ["Syntax", 1, 16]],
    ["another member before them", '{"to":"1","messages":[1]}', ["Syntax", 1, 1]],
    ["no list", "12", ["Syntax", 1, 1]],
    ["nothing", " ", ["Syntax", 1, 2]],
    ["I04 10^6 levels", "[".repeat(1_000_001), ["TooDeep", 1, 2]],
  ])("%s is refused with line and column", (_, text, expected) => {
    expect(array(text)).toEqual(expected);
  });

  test("members of the call beside the messages, before or behind them, are passed over", () => {
    const row = { value: 1 };
    expect(array('{"messages":[1],"strict":true,"agent":{"appId":"a"}}')).toMatchObject([row]);
    expect(array('{"allowDuplicates":true,"messages":[1]}')).toMatchObject([row]);
  });

  test("a duplicate key is a fault of its row, the other rows stay", () => {
    expect(array('[{"a":1,"a":2},{"b":1}]')).toMatchObject([
      { line: 1, problem: { code: "DuplicateKey", row: 1, line: 1, column: 9 } },
      { value: { b: 1 } },
    ]);
  });
});
