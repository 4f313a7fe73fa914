/** Comma-separated values (RFC 4180, but lines end with LF, so that shell tools need no `tr -d`). */
import type { Reader } from "../fields.ts";
import { withoutFormula } from "../text/cell.ts";
import { sanitize, withoutControls } from "../text/safe.ts";
import type { Cells, View } from "../view.ts";
import { type LineFormat, lineRenderer } from "./lines.ts";
import type { Renderer } from "./renderer.ts";

/**
 * Line ends and tabs stay, in quotes; other controls become visible, formulas become text. Cells that
 * are to be exact keep their formulas, and in a file their lone CR too.
 */
export const csv = (view: View, readers: readonly Reader[], isTTY: boolean): Renderer => {
  const { cells = "spreadsheet" } = view;
  const format: LineFormat = {
    separator: ",",
    cell: (text, value) => {
      const isFormula = cells === "spreadsheet" && typeof value === "string";
      const guarded = isFormula ? withoutFormula(text) : text;
      return quoted(cleaned(guarded, cells, isTTY), readers.length === 1);
    },
  };
  return lineRenderer(view, readers, format);
};

const cleaned = (text: string, cells: Cells, isTTY: boolean): string => {
  if (cells === "exact" && !isTTY) return withoutControls(text, "\n\t\r");
  const clean = isTTY ? sanitize : withoutControls;
  return text
    .split("\r\n")
    .map((part) => clean(part, "\n\t"))
    .join("\r\n");
};

/** Whether a file says of a text what it is, to the letter. */
export const isLosslessInCsv = (text: string, cells: Cells): boolean =>
  cleaned(cells === "exact" ? text : withoutFormula(text), cells, false) === text;

/** An empty line would be no row to a reader: an only cell is quoted even when it is empty. */
const quoted = (text: string, alone: boolean): string =>
  /[",\r\n]|^\s|\s$/.test(text) || (alone && text === "")
    ? `"${text.replaceAll('"', '""')}"`
    : text;
