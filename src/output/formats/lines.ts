/** What TSV and CSV have in common: an optional byte order mark, an optional header, lines. */

import type { Reader } from "../fields.ts";
import { plainText } from "../text/cell.ts";
import type { View } from "../view.ts";
import type { Renderer } from "./renderer.ts";

/** How one format writes a value of a cell, given its text, and joins the cells of a line. */
export interface LineFormat {
  cell(text: string, value: unknown): string;
  readonly separator: string;
}

/** A line per row, flat in memory; lines end with LF, as everything else on a Unix pipe does. */
export const lineRenderer = (
  view: View,
  readers: readonly Reader[],
  format: LineFormat,
): Renderer => {
  const line = (cells: readonly unknown[]): string =>
    `${cells.map((value) => format.cell(plainText(value), value)).join(format.separator)}\n`;
  const start =
    (view.bom ? "\ufeff" : "") + (view.header ? line(readers.map((reader) => reader.name)) : "");
  let before = start;
  const page = (rows: readonly unknown[]): string => {
    const text = rows.map((row) => line(readers.map((reader) => reader.value(row)))).join("");
    const whole = before + text;
    before = "";
    return whole;
  };
  return { page, end: () => before, record: (record) => page([record]) };
};
