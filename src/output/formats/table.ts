/** Rows as a clean list: a header and columns two spaces apart. The only import of cli-table3. */
import Table from "cli-table3";
import { type ReadableColumn, type Reader, readable } from "../fields.ts";
import { styles } from "../text/style.ts";
import {
  aligned,
  displayWidth,
  fittingWidths,
  gap,
  type Kind,
  kindOf,
  squeeze,
  widest,
  withoutSeconds,
} from "../text/width.ts";
import type { View } from "../view.ts";
import type { Renderer } from "./delimited.ts";

/** Under this many columns, or where an id would have to be cut, rows become cards. */
const narrow = 60;

export interface Screen {
  /** Columns to fit into; undefined outside a terminal, where nothing is cut. */
  readonly columns: number | undefined;
  readonly colour: boolean;
}

/**
 * A table in pages: each is laid out alone (cli-table3 takes quadratic time), with the widths of the
 * pages before, which grow only where a later cell needs it and the screen has room.
 */
export const table = (view: View, readers: readonly Reader[], screen: Screen): Renderer => {
  const shown = readable(view, readers);
  const inCards = cards(view, readers, screen.colour);
  const state: Layout = {
    widths: shown.map(() => 1),
    numeric: undefined,
    kinds: undefined,
    asCards: undefined,
  };
  const page = (rows: readonly unknown[]): string => {
    if (rows.length === 0) return "";
    const first = state.asCards === undefined;
    const header = first && view.header;
    const cells = rows.map((row) => shown.map((column) => column.text(row)));
    const inColumn = (index: number) => cells.map((line) => line[index] ?? "");
    state.kinds ??= shown.map((_, index) => kindOf(inColumn(index)));
    const columns = shown.map(({ title }, index) => ({
      kind: state.kinds?.[index] ?? "words",
      cells: widest(inColumn(index), state.widths[index] ?? 1),
      title: header ? displayWidth(title) : 0,
    }));
    const fitted = fittingWidths(columns, screen.columns);
    state.asCards ??= (screen.columns ?? narrow) < narrow || fitted === undefined;
    if (state.asCards) return inCards.page(rows);
    state.numeric ??= shown.map((column) => holdsNumbers(column, rows));
    state.widths = fitted ?? squeeze(columns, screen.columns ?? narrow);
    const lines = header ? [shown.map((column) => column.title), ...cells] : cells;
    return draw(lines, state, header, screen.colour);
  };
  return { page, end: () => "", record: inCards.record };
};

interface Layout {
  widths: readonly number[];
  /** Columns of numbers stand to the right; decided by the first page. */
  numeric: readonly boolean[] | undefined;
  /** What may be cut; decided by the first page. */
  kinds: readonly Kind[] | undefined;
  asCards: boolean | undefined;
}

const holdsNumbers = (column: ReadableColumn, rows: readonly unknown[]): boolean => {
  const kinds = rows.map(column.isNumber);
  return kinds.includes(true) && !kinds.includes(false);
};

const draw = (
  lines: readonly (readonly string[])[],
  { widths, numeric, kinds }: Layout,
  header: boolean,
  colour: boolean,
): string => {
  const standIns: string[] = [];
  const layout = new Table({ chars: borders, style: plain, colWidths: [...widths] });
  for (const line of lines)
    layout.push(
      line.map((cell, index) => {
        const side = numeric?.[index] ? "right" : "left";
        const columns = widths[index] ?? 1;
        const isCut = kinds?.[index] === "time" && columns === withoutSeconds;
        const text = isCut ? cell.slice(0, withoutSeconds) : cell;
        return measured(aligned(text, columns, side), standIns);
      }),
    );
  const restored = layout.toString().replace(/\ue000+/g, () => standIns.shift() ?? "");
  const drawn = restored.split("\n").map((line) => line.replace(/ +$/, ""));
  if (header) drawn[0] = styles(colour).bold(drawn[0] ?? "");
  return `${drawn.join("\n")}\n`;
};

/**
 * cli-table3 measures text with an old table of emoji and marks. Where it might disagree with ours it
 * is given as many stand-ins of one column, which are replaced once the page is laid out.
 */
const measured = (cell: string, standIns: string[]): string => {
  if (/^[\x20-\x7e\u00a1-\u00ac\u00ae-\u00ff\u4e00-\u9fff\uac00-\ud7a3…]*$/.test(cell)) return cell;
  standIns.push(cell);
  return "\ue000".repeat(displayWidth(cell));
};

const plain = { head: [], border: [], compact: true, "padding-left": 0, "padding-right": 0 };
const borders = {
  top: "",
  "top-mid": "",
  "top-left": "",
  "top-right": "",
  bottom: "",
  "bottom-mid": "",
  "bottom-left": "",
  "bottom-right": "",
  left: "",
  "left-mid": "",
  mid: "",
  "mid-mid": "",
  right: "",
  "right-mid": "",
  middle: gap,
};

/** Values are never cut: the terminal wraps them. An empty line stands between two cards. */
const cards = (view: View, readers: readonly Reader[], colour: boolean): Renderer => {
  const style = styles(colour);
  const shown = readable(view, readers);
  const widest = Math.max(0, ...shown.map((column) => displayWidth(column.name)));
  const card = (row: unknown): string =>
    shown
      .map((column) => `${style.dim(aligned(column.name, widest))}  ${column.text(row)}`)
      .map((line) => `${line.replace(/ +$/, "")}\n`)
      .join("");
  let before = "";
  return {
    page(rows) {
      if (rows.length === 0) return "";
      const text = before + rows.map(card).join("\n");
      before = "\n";
      return text;
    },
    end: () => "",
    record: card,
  };
};
