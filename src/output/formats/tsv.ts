/** Tab-separated lines for shell scripts: one line per row, whatever is in the cells. */
import type { Reader } from "../fields.ts";
import { withoutFormula } from "../text/cell.ts";
import { sanitize } from "../text/safe.ts";
import type { Cells, View } from "../view.ts";
import { type LineFormat, lineRenderer } from "./lines.ts";
import type { Renderer } from "./renderer.ts";

/** Tabs and line ends within a cell are shown as `\t` and `\n`. */
export const tsv = (view: View, readers: readonly Reader[]): Renderer => {
  // A byte order mark asks for a spreadsheet; without one no program wants the apostrophe.
  const isForSpreadsheet = (view.cells ?? (view.bom ? "spreadsheet" : "exact")) === "spreadsheet";
  const format: LineFormat = {
    separator: "\t",
    cell: (text) => sanitize(isForSpreadsheet ? withoutFormula(text) : text),
  };
  return lineRenderer(view, readers, format);
};

/** Whether a file says of a text what it is, to the letter. A quote that opens a cell is taken for its frame. */
export const isLosslessInTsv = (text: string, cells: Cells): boolean =>
  sanitize(cells === "exact" ? text : withoutFormula(text)) === text && !text.startsWith('"');
