/** Rows as a clean list: a header and columns two spaces apart. The only import of cli-table3. */
import Table from "cli-table3";
import { type CellReader, type ReadableColumn, readable } from "../columns.ts";
import { zoneName } from "../text/cell.ts";
import { toneOf } from "../text/state-words.ts";
import { styles } from "../text/style.ts";
import { aligned, displayWidth, wrapWords } from "../text/width.ts";
import type { View } from "../view.ts";
import {
  type ColumnSize,
  fittingWidths,
  gap,
  isTimeText,
  type Kind,
  kindOf,
  laterWidths,
  shortenedId,
  type Widths,
  withoutSeconds,
} from "./layout.ts";
import type { Renderer } from "./streamed.ts";

/** Under this many columns rows become cards. */
const narrow = 50;

interface Terminal {
  /** The width to fit into; undefined outside a terminal, where nothing is cut. */
  readonly columns: number | undefined;
  readonly colour: boolean;
}

/**
 * A table in pages, each laid out alone (cli-table3 takes quadratic time) with the columns and widths of
 * the pages before. A width grows only if a later cell needs it and the screen has room.
 */
export const table = (view: View, readers: readonly CellReader[], terminal: Terminal): Renderer => {
  const shown = readable(view, readers);
  const inCards = cards(view, readers, terminal.colour);
  const width = view.wide ? undefined : terminal.columns;
  if (width !== undefined && width < narrow) return inCards;
  let layout: Layout | undefined;
  const page = (rows: readonly unknown[]): string => {
    if (rows.length === 0) return "";
    const header = layout === undefined && view.header;
    const cells = rows.map((row) => shown.map((column) => column.text(row)));
    const columns = shown.map((column, at): TableColumn => {
      const before = layout?.columns[at];
      const texts = cells.map((line) => line[at] ?? "");
      const kind = before?.kind ?? (column.isWhole ? "whole" : kindOf(texts));
      const zone = kind === "time" ? ` ${zoneName(view)}` : "";
      return {
        name: column.name,
        kind,
        isNumeric: before?.isNumeric ?? holdsNumbers(column, rows),
        cells: Math.max(before?.cells ?? 1, ...texts.map(displayWidth)),
        title: header ? column.title + zone : "",
        isMinor: column.isMinor,
        isVital: column.isVital,
      };
    });
    const widths = layout
      ? laterWidths(columns, layout.widths, width)
      : fittingWidths(columns, width);
    layout = { columns, widths };
    return draw(layout, header, cells, terminal.colour);
  };
  const hidden = () =>
    shown.filter((_, at) => layout && layout.widths[at] === undefined).map((it) => it.name);
  return { page, end: () => "", record: inCards.record, hidden };
};

/** The first page decides kinds and alignment; the widest cell is that of all pages so far. */
interface TableColumn extends ColumnSize {
  readonly name: string;
  /** Columns of numbers are aligned to the right. */
  readonly isNumeric: boolean;
}

interface Layout {
  readonly columns: readonly TableColumn[];
  readonly widths: Widths;
}

const holdsNumbers = (column: ReadableColumn, rows: readonly unknown[]): boolean => {
  const kinds = rows.map(column.isNumber);
  return kinds.includes(true) && !kinds.includes(false);
};

const draw = (
  { columns, widths }: Layout,
  header: boolean,
  rows: readonly (readonly string[])[],
  colour: boolean,
): string => {
  const shown = columns.flatMap((column, at) => {
    const width = widths[at];
    return width === undefined ? [] : [{ ...column, at, width }];
  });
  const paint = painter(colour);
  const standIns: string[] = [];
  // cli-table3 measures text with an old table of emoji and marks: it lays out placeholders of one column each.
  const cellOf = (text: string, column: (typeof shown)[number], isHeader: boolean): string => {
    const { kind, width, isNumeric, name } = column;
    const cell = aligned(cut(text, kind, width), width, isNumeric ? "right" : "left");
    standIns.push(isHeader ? cell : paint(name, kind, cell));
    return "x".repeat(width);
  };
  const heads = header ? shown.map(({ title, width }) => wrapWords(title, width)) : [];
  const tall = Math.max(0, ...heads.map((it) => it.length));
  const drawn = new Table({
    chars: borders,
    style: plain,
    colWidths: shown.map(({ width }) => width),
  });
  // Titles are bottom-aligned.
  for (let line = -tall; line < 0; line += 1)
    drawn.push(shown.map((column, at) => cellOf(heads[at]?.at(line) ?? "", column, true)));
  for (const line of rows)
    drawn.push(shown.map((column) => cellOf(line[column.at] ?? "", column, false)));
  const restored = drawn.toString().replace(/x+/g, () => standIns.shift() ?? "");
  const lines = restored.split("\n").map((line) => line.replace(/ +$/, ""));
  const { bold } = styles(colour);
  return `${lines.map((line, at) => (at < tall ? bold(line) : line)).join("\n")}\n`;
};

type Paint = (column: string, kind: Kind | undefined, cell: string) => string;

/** Colours the text of a cell, not its padding; ids are dim. */
const painter = (colour: boolean): Paint => {
  const { green, red, yellow, dim } = styles(colour);
  const tones = { good: green, bad: red, waiting: yellow };
  return (column, kind, cell) => {
    const text = cell.trim();
    const tone = toneOf(column, text);
    const untoned = kind === "id" ? dim : undefined;
    const style = tone ? tones[tone] : untoned;
    return style && text !== "" ? cell.replace(text, () => style(text)) : cell;
  };
};

/** Times lose their seconds, ids their middle; anything else is cut at its end. */
const cut = (cell: string, kind: Kind | undefined, columns: number): string => {
  if (kind === "id") return shortenedId(cell, columns);
  return kind === "time" && columns < cell.length ? cell.slice(0, withoutSeconds) : cell;
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

/** Values are never cut: the terminal wraps them. Two cards are separated by an empty line. */
const cards = (view: View, readers: readonly CellReader[], colour: boolean): Renderer => {
  const style = styles(colour);
  const shown = readable(view, readers);
  const widest = Math.max(0, ...shown.map((column) => displayWidth(column.name)));
  const paint = painter(colour);
  const card = (row: unknown): string =>
    shown
      .map(({ name, text }) => {
        const value = text(row);
        const cell = isTimeText(value) ? `${value} ${zoneName(view)}` : value;
        const line = `${style.dim(aligned(name, widest))}  ${paint(name, undefined, cell)}`;
        return `${line.replace(/ +$/, "")}\n`;
      })
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
