/** Rows as a clean list: a header and columns two spaces apart. The only import of cli-table3. */
import Table from "cli-table3";
import { type ReadableColumn, type Reader, readable } from "../fields.ts";
import { zoneName } from "../text/cell.ts";
import { toneOf } from "../text/state-words.ts";
import { styles } from "../text/style.ts";
import { aligned, displayWidth } from "../text/width.ts";
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
  titleLines,
  type Widths,
  withoutSeconds,
} from "./layout.ts";
import type { Renderer } from "./streamed.ts";

/** Under this many columns rows become cards. */
const narrow = 50;

export interface Screen {
  /** Columns to fit into; undefined outside a terminal, where nothing is cut. */
  readonly columns: number | undefined;
  readonly colour: boolean;
}

/**
 * A table in pages: each is laid out alone (cli-table3 takes quadratic time), with the columns and widths
 * of the pages before, which grow only where a later cell needs it and the screen has room.
 */
export const table = (view: View, readers: readonly Reader[], screen: Screen): Renderer => {
  const shown = readable(view, readers);
  const inCards = cards(view, readers, screen.colour);
  const width = view.wide ? undefined : screen.columns;
  if (width !== undefined && width < narrow) return inCards;
  let layout: Layout | undefined;
  const page = (rows: readonly unknown[]): string => {
    if (rows.length === 0) return "";
    const header = layout === undefined && view.header;
    const cells = rows.map((row) => shown.map((column) => column.text(row)));
    const inColumn = (at: number) => cells.map((line) => line[at] ?? "");
    const sizes = shown.map(({ title, isMinor, isVital, isWhole }, at): ColumnSize => {
      const { kinds = [], cells: before = [] } = layout ?? {};
      const kind = kinds[at] ?? (isWhole ? "whole" : kindOf(inColumn(at)));
      const widest = Math.max(before[at] ?? 1, ...inColumn(at).map(displayWidth));
      const zone = kind === "time" ? ` ${zoneName(view)}` : "";
      return { kind, cells: widest, title: header ? title + zone : "", isMinor, isVital };
    });
    layout = {
      widths: layout ? laterWidths(sizes, layout.widths, width) : fittingWidths(sizes, width),
      cells: sizes.map((it) => it.cells),
      kinds: sizes.map((it) => it.kind),
      numeric: layout?.numeric ?? shown.map((column) => holdsNumbers(column, rows)),
    };
    const titles = header ? sizes.map((it) => it.title) : undefined;
    return draw(shown, titles, cells, layout, screen.colour);
  };
  const hidden = () =>
    shown.filter((_, at) => layout && layout.widths[at] === undefined).map((it) => it.name);
  return { page, end: () => "", record: inCards.record, hidden };
};

interface Layout {
  readonly widths: Widths;
  /** The widest cell of each column so far. */
  readonly cells: readonly number[];
  /** What may be cut, and how; decided by the first page. */
  readonly kinds: readonly Kind[];
  /** Columns of numbers stand to the right; decided by the first page. */
  readonly numeric: readonly boolean[];
}

const holdsNumbers = (column: ReadableColumn, rows: readonly unknown[]): boolean => {
  const kinds = rows.map(column.isNumber);
  return kinds.includes(true) && !kinds.includes(false);
};

const draw = (
  columns: readonly ReadableColumn[],
  titles: readonly string[] | undefined,
  rows: readonly (readonly string[])[],
  { widths, numeric, kinds }: Layout,
  colour: boolean,
): string => {
  const shown = [...widths.keys()].filter((at) => widths[at] !== undefined);
  const paint = painter(colour);
  const standIns: string[] = [];
  const cellOf = (text: string, at: number, isHeader: boolean): string => {
    const width = widths[at] ?? 1;
    const cell = aligned(cut(text, kinds[at], width), width, numeric[at] ? "right" : "left");
    return measured(
      cell,
      isHeader ? cell : paint(columns[at]?.name ?? "", kinds[at], cell),
      standIns,
    );
  };
  const header = titles ? headerLines(titles, widths) : [];
  const drawn = new Table({
    chars: borders,
    style: plain,
    colWidths: shown.map((at) => widths[at] ?? 0),
  });
  for (const line of header) drawn.push(shown.map((at) => cellOf(line[at] ?? "", at, true)));
  for (const line of rows) drawn.push(shown.map((at) => cellOf(line[at] ?? "", at, false)));
  const restored = drawn.toString().replace(/\ue000+/g, () => standIns.shift() ?? "");
  const lines = restored.split("\n").map((line) => line.replace(/ +$/, ""));
  const { bold } = styles(colour);
  return `${lines.map((line, at) => (at < header.length ? bold(line) : line)).join("\n")}\n`;
};

/** Titles stand on the last of their lines. */
const headerLines = (titles: readonly string[], widths: Widths): string[][] => {
  const heads = titles.map((title, at) => {
    const width = widths[at];
    return width === undefined ? [] : titleLines(title, width);
  });
  const tall = Math.max(0, ...heads.map((it) => it.length));
  return Array.from({ length: tall }, (_, line) =>
    heads.map((it) => it[line - tall + it.length] ?? ""),
  );
};

type Paint = (column: string, kind: Kind | undefined, cell: string) => string;

/** Colours what a cell says, and not the room around it; ids are dim. */
const painter = (colour: boolean): Paint => {
  const { green, red, yellow, dim } = styles(colour);
  const tones = { good: green, bad: red, waiting: yellow };
  return (column, kind, cell) => {
    const text = cell.trim();
    const tone = toneOf(column, text);
    const style = tone ? tones[tone] : kind === "id" ? dim : undefined;
    return style && text !== "" ? cell.replace(text, () => style(text)) : cell;
  };
};

/** Times go without their seconds, ids without their middle; anything else is cut at its end. */
const cut = (cell: string, kind: Kind | undefined, columns: number): string => {
  if (kind === "id") return shortenedId(cell, columns);
  return kind === "time" && columns < cell.length ? cell.slice(0, withoutSeconds) : cell;
};

/**
 * cli-table3 measures text with an old table of emoji and marks. Where it might disagree with ours, and
 * where a cell is coloured, it is given as many stand-ins of one column, which are replaced once the page
 * is laid out.
 */
const measured = (cell: string, painted: string, standIns: string[]): string => {
  const isPlain = /^[\x20-\x7e\u00a1-\u00ac\u00ae-\u00ff\u4e00-\u9fff\uac00-\ud7a3…]*$/.test(cell);
  if (isPlain && painted === cell) return cell;
  standIns.push(painted);
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
  const paint = painter(colour);
  const card = (row: unknown): string =>
    shown
      .map(({ name, text }) => {
        const value = text(row);
        const cell = isTimeText(value) ? `${value} ${zoneName(view)}` : value;
        return `${style.dim(aligned(name, widest))}  ${paint(name, undefined, cell)}`;
      })
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
