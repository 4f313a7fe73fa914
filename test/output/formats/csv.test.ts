/** CSV that every reader reads back, and no spreadsheet runs. */
import { parse } from "csv-parse/sync";
import fc from "fast-check";
import { expect, test } from "vitest";
import { withoutFormula } from "../../../src/output/text/cell.ts";
import { withoutControls } from "../../../src/output/text/safe.ts";
import { list, record } from "../sink.ts";

const csv = (rows: readonly Record<string, unknown>[], columns: readonly string[] = ["a", "b"]) =>
  list({ format: "csv" }, columns, rows);

test("cells are quoted where RFC 4180 asks for it", async () => {
  const text = await csv([
    { a: "plain", b: 'say "hi"' },
    { a: "x,y", b: "two\nlines" },
    { a: null, b: " padded" },
  ]);
  expect(text).toBe('a,b\nplain,"say ""hi"""\n"x,y","two\nlines"\n," padded"\n');
});

test("I08 cells that a spreadsheet would run are made text", async () => {
  const starts = ["=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠"];
  for (const start of starts) expect(withoutFormula(`${start}1+1`)).toBe(`'${start}1+1`);
  expect(await csv([{ a: "=HYPERLINK()", b: "@x" }])).toBe("a,b\n'=HYPERLINK(),'@x\n");
});

test("I08 numbers and phone numbers keep their sign and no apostrophe", async () => {
  for (const number of ["+821012345678", "-5", "-5.25", "01012345678"])
    expect(withoutFormula(number)).toBe(number);
  expect(await csv([{ a: -5, b: -0.25 }])).toBe("a,b\n-5,-0.25\n");
});

test("I08 JSON and plain TSV are untouched, TSV for spreadsheets is guarded", async () => {
  const rows = [{ a: "=1+1" }];
  expect(await list({ format: "tsv", header: false }, ["a"], rows)).toBe("=1+1\n");
  expect(await list({ format: "jsonl" }, ["a"], rows)).toBe('{"a":"=1+1"}\n');
  expect(await list({ format: "tsv", header: false, bom: true }, ["a"], rows)).toBe(
    "\ufeff'=1+1\n",
  );
});

test("--bom comes first and once, --no-header leaves the header out", async () => {
  const rows = [{ a: "1" }, { a: "2" }];
  expect(await list({ format: "csv", bom: true }, ["a"], rows)).toBe("\ufeffa\n1\n2\n");
  expect(await list({ format: "csv", header: false }, ["a"], rows)).toBe("1\n2\n");
  expect(await list({ format: "csv", bom: true }, ["a"], [])).toBe("\ufeffa\n");
  expect(await record({ format: "csv" }, ["a", "b"], { a: 1, b: true })).toBe("a,b\n1,true\n");
});

test("T01 controls become visible, line ends and tabs stay", async () => {
  expect(await csv([{ a: "x\u001b[31m\u009b", b: "l1\r\nl2\tt" }])).toBe(
    'a,b\nx\\x1b[31m\\x9b,"l1\r\nl2\tt"\n',
  );
  expect(await csv([{ a: "over\rwrite", b: "\u0000" }])).toBe("a,b\nover\\rwrite,\\x00\n");
});

test("T02 on a terminal bidi controls are named, in a file they stay", async () => {
  const rows = [{ a: "a\u202eb" }];
  expect(await list({ format: "csv" }, ["a"], rows, { tty: 80 })).toBe("a\na<U+202E>b\n");
  expect(await csv(rows, ["a"])).toBe("a\na\u202eb\n");
});

test("any text comes back from a CSV reader as it was shown", async () => {
  const cell = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.string({ unit: fc.constantFrom('"', ",", "\n", "\r", " ", "a", "=", "'", "한", "\t") }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(cell, cell), { minLength: 1 }), async (rows) => {
      const text = await csv(rows.map(([a, b]) => ({ a, b })));
      const shown = (it: string) =>
        withoutFormula(it)
          .split("\r\n")
          .map((part) => withoutControls(part, "\n\t"))
          .join("\r\n");
      expect(parse(text, { relax_column_count: false, record_delimiter: "\n" })).toEqual([
        ["a", "b"],
        ...rows.map(([a, b]) => [shown(a), shown(b)]),
      ]);
      expect(text).not.toMatch(/(?![\n\t]|\r\n)\p{Cc}/u);
    }),
  );
});

test("a row of one empty cell is still a row", async () => {
  const text = await csv([{ a: "" }, { a: null }], ["a"]);
  expect(text).toBe('a\n""\n""\n');
  expect(parse(text, { skip_empty_lines: true })).toEqual([["a"], [""], [""]]);
});
