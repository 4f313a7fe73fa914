/**
 * TSV, CSV and JSON, written row by row. CSV is that of RFC 4180, but its lines end with LF, so that shell
 * tools need no `tr -d`. JSON is the service's own record, names and values untouched.
 */

import type { CellReader } from "../columns.ts";
import { shownMembers } from "../fields.ts";
import { plainText, withoutFormula } from "../text/cell.ts";
import { sanitize, withoutControls } from "../text/safe.ts";
import type { Cells, View } from "../view.ts";

export interface Renderer {
  /** The next rows of a list; the first call begins with the header. */
  page(rows: readonly unknown[]): string;
  /** What follows the rows; `nextKey` is where the list continues, if it does. */
  end(nextKey: string | undefined): string;
  record(record: unknown): string;
  /** The columns that the screen had no room for. */
  hidden?(): readonly string[];
}

/** A line per row; lines end with LF, as everything else on a Unix pipe does. */
const lineRenderer = (
  view: View,
  readers: readonly CellReader[],
  separator: string,
  formatCell: (text: string, value: unknown) => string,
): Renderer => {
  const line = (cells: readonly unknown[]): string =>
    `${cells.map((value) => formatCell(plainText(value), value)).join(separator)}\n`;
  let before = (view.bom ? "\ufeff" : "") + (view.header ? line(readers.map((it) => it.name)) : "");
  const page = (rows: readonly unknown[]): string => {
    const text = rows.map((row) => line(readers.map((reader) => reader.value(row)))).join("");
    const whole = before + text;
    before = "";
    return whole;
  };
  return { page, end: () => before, record: (record) => page([record]) };
};

/** Tabs and line ends within a cell are shown as `\t` and `\n`. */
export const tsv = (view: View, readers: readonly CellReader[]): Renderer => {
  // A byte order mark means a spreadsheet; without one no program wants the apostrophe.
  const isForSpreadsheet = (view.cells ?? (view.bom ? "spreadsheet" : "exact")) === "spreadsheet";
  return lineRenderer(view, readers, "\t", (text) =>
    sanitize(isForSpreadsheet ? withoutFormula(text) : text),
  );
};

/** Whether a text survives in a file as it is. A quote that opens a cell would be read as its frame. */
export const isLosslessInTsv = (text: string, cells: Cells): boolean =>
  sanitize(cells === "exact" ? text : withoutFormula(text)) === text && !text.startsWith('"');

/**
 * Line ends and tabs stay, in quotes; other controls become visible, formulas become text. Exact
 * cells keep their formulas, and in a file also a lone CR.
 */
export const csv = (view: View, readers: readonly CellReader[], isTTY: boolean): Renderer => {
  const { cells = "spreadsheet" } = view;
  return lineRenderer(view, readers, ",", (text, value) => {
    const isFormula = cells === "spreadsheet" && typeof value === "string";
    const guarded = isFormula ? withoutFormula(text) : text;
    return quoted(cleaned(guarded, cells, isTTY), readers.length === 1);
  });
};

const cleaned = (text: string, cells: Cells, isTTY: boolean): string => {
  if (cells === "exact" && !isTTY) return withoutControls(text, "\n\t\r");
  const clean = isTTY ? sanitize : withoutControls;
  if (!text.includes("\r\n")) return clean(text, "\n\t");
  return text
    .split("\r\n")
    .map((part) => clean(part, "\n\t"))
    .join("\r\n");
};

/** Whether a text survives in a file as it is. */
export const isLosslessInCsv = (text: string, cells: Cells): boolean =>
  cleaned(cells === "exact" ? text : withoutFormula(text), cells, false) === text;

/** A reader would not see an empty line as a row: a single cell is quoted even if it is empty. */
const quoted = (text: string, alone: boolean): string =>
  /[",\r\n]|^\s|\s$/.test(text) || (alone && text === "")
    ? `"${text.replaceAll('"', '""')}"`
    : text;

/** A record or an array of rows, written row by row; with `--envelope` `{items, nextKey}`. */
export const json = (view: View, readers: readonly CellReader[]): Renderer => {
  const shown = shownMembers(view, readers);
  const indent = view.envelope ? "    " : "  ";
  const open = view.envelope ? '{\n  "items": [' : "[";
  let empty = true;
  const item = (row: unknown): string =>
    `\n${indent}${jsonText(shown(row), 2).replaceAll("\n", `\n${indent}`)}`;
  return {
    page(rows) {
      if (rows.length === 0) return "";
      const before = empty ? open : ",";
      empty = false;
      return before + rows.map(item).join(",");
    },
    end(nextKey) {
      const close = empty ? `${open}]` : `\n${indent.slice(2)}]`;
      return view.envelope
        ? `${close},\n  "nextKey": ${jsonText(nextKey ?? null)}\n}\n`
        : `${close}\n`;
    },
    record: (record) => `${jsonText(shown(record), 2)}\n`,
  };
};

/** One JSON text per line. */
export const jsonl = (view: View, readers: readonly CellReader[]): Renderer => {
  const shown = shownMembers(view, readers);
  // Escapes the rows together: one by one, every text would be copied once more.
  const page = (rows: readonly unknown[]): string =>
    escapeControls(rows.map((row) => `${jsonOf(shown(row))}\n`).join(""));
  return { page, end: () => "", record: (record) => page([record]) };
};

/**
 * The JSON text of a value with every control escaped: JSON itself leaves DEL, C1 and the
 * separators U+2028 and U+2029 as they are.
 */
export const jsonText = (value: unknown, indent = 0): string =>
  escapeControls(jsonOf(value, indent));

const jsonOf = (value: unknown, indent = 0): string =>
  JSON.stringify(value, null, indent) ?? "null";

const escapeControls = (json: string): string =>
  json.replace(
    /[\u007f-\u009f\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
