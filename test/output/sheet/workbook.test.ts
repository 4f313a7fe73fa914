/** Spreadsheets written row by row: what is read back is what was written, and no text is calculated. */
import fc from "fast-check";
import { readSheet } from "read-excel-file/universal";
import { expect, test } from "vitest";
import { type Chart, type Sheet, workbook } from "../../../src/output/workbook.ts";

const bytesOf = async (sheets: Iterable<Sheet>): Promise<Buffer> => {
  const pieces: Uint8Array[] = [];
  for await (const piece of workbook(sheets)) pieces.push(piece);
  return Buffer.concat(pieces);
};

const read = async (bytes: Buffer, sheet: string) =>
  readSheet(new Blob([new Uint8Array(bytes)]), sheet, { trim: false });

/** Everything but what XML has no sign for, and line ends, which it reads as one. */
const cellText = fc
  .string({ unit: "grapheme", minLength: 1, maxLength: 40 })
  .filter((text) => !/[\p{Cc}\p{Cs}\ufffe\uffff]/u.test(text));

test("texts and numbers come back as they were, whatever they begin with", async () => {
  const cell = fc.oneof(
    cellText,
    fc.constantFrom("=1+1", "+82 10", "-1", "@sum", "01012345678", "_x0041_", "<b>&amp;", "1e5"),
    fc.integer(),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(cell, cell), { minLength: 1 }), async (rows) => {
      const bytes = await bytesOf([
        { name: "Rows", widths: [10, 10], rows: [["a", "b"], ...rows] },
      ]);
      expect(await read(bytes, "Rows")).toEqual([["a", "b"], ...rows]);
      expect(bytes.includes("<f>")).toBe(false);
    }),
    { numRuns: 60 },
  );
});

test("a control in a text is shown, and does not break the file", async () => {
  const rows = [["head"], ["a\u0000b\u001bc\uD800"]];
  const bytes = await bytesOf([{ name: "Rows", widths: [10], rows }]);
  expect(await read(bytes, "Rows")).toEqual([["head"], ["a\\x00b\\x1bc<U+D800>"]]);
});

test("the last sheet is shown first, with its charts", async () => {
  const chart: Chart = {
    ...{ title: "What's <new>", names: "A", values: "B", firstLine: 2 },
    bars: [{ name: "3104 =x", value: 2 }],
  };
  const summary: Sheet = {
    name: "It's",
    widths: [20, 10],
    rows: [
      ["code", "rows"],
      ["3104 =x", 2],
    ],
    charts: () => [chart],
  };
  const bytes = await bytesOf([{ name: "Rows", widths: [10], rows: [["to"]] }, summary]);
  expect(await readSheet(new Blob([new Uint8Array(bytes)]))).toEqual([
    ["code", "rows"],
    ["3104 =x", 2],
  ]);
  expect(await read(bytes, "Rows")).toEqual([["to"]]);
});

test("bytes leave while rows come: nothing is kept for the end", async () => {
  const at = { row: 0 };
  function* rows(): Generator<readonly string[]> {
    for (; at.row < 100_000; at.row += 1) yield [`0101234${at.row}`, crypto.randomUUID()];
  }
  const rowsAtPiece: number[] = [];
  for await (const piece of workbook([{ name: "Rows", widths: [10, 10], rows: rows() }])) {
    expect(piece.length).toBeLessThan(1_000_000);
    rowsAtPiece.push(at.row);
  }
  const early = rowsAtPiece.filter((row) => row < 50_000).length;
  expect(early).toBeGreaterThan(rowsAtPiece.length / 3);
});
