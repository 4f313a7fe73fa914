/** Rows as a clean list: a header and columns two spaces apart. The only import of cli-table3. */
import Table from "cli-table3";
import { cards } from "./cards.ts";
import { type ReadableColumn, readable } from "./columns.ts";
import type { Reader } from "./fields.ts";
import type { Renderer } from "./renderer.ts";
import { styles } from "./style.ts";
import type { View } from "./view.ts";
import { aligned, width } from "./width.ts";

/**
 * Under this many columns, or where columns would be cut below `least`, rows become cards: a phone
 * number or a day that was cut is of no use.
 */
const narrow = 60;
const least = 11;
const gap = "  ";

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
    wordy: undefined,
    asCards: undefined,
  };
  const page = (rows: readonly unknown[]): string => {
    if (rows.length === 0) return "";
    const first = state.asCards === undefined;
    const cells = rows.map((row) => shown.map((column) => column.text(row)));
    const lines = first && view.header ? [shown.map((column) => column.title), ...cells] : cells;
    const wanted = naturalWidths(lines, state.widths);
    state.asCards ??= needsCards(wanted, screen.columns);
    if (state.asCards) return inCards.page(rows);
    state.numeric ??= shown.map((column) => holdsNumbers(column, rows));
    state.wordy ??= shown.map((_, index) => cells.some((line) => isProse(line[index] ?? "")));
    state.widths = fitting(wanted, screen.columns, state.wordy);
    return draw(lines, state, first && view.header, screen.colour);
  };
  return { page, end: () => "", record: inCards.record };
};

interface Layout {
  widths: readonly number[];
  /** Columns of numbers stand to the right; decided by the first page. */
  numeric: readonly boolean[] | undefined;
  /** Columns of prose: they are cut first, because an id or a number that was cut is of no use. */
  wordy: readonly boolean[] | undefined;
  asCards: boolean | undefined;
}

const naturalWidths = (
  lines: readonly (readonly string[])[],
  before: readonly number[],
): number[] =>
  before.map((least, index) =>
    lines.reduce((most, line) => Math.max(most, width(line[index] ?? "")), least),
  );

const needsCards = (wanted: readonly number[], columns: number | undefined): boolean =>
  columns !== undefined && (columns < narrow || capOf(wanted, columns) < least);

/** Prose is cut first, down to `readableProse`; only then everything, the widest first. */
const fitting = (
  wanted: readonly number[],
  columns: number | undefined,
  wordy: readonly boolean[],
): number[] => {
  if (columns === undefined) return [...wanted];
  const prose = wanted.filter((_, index) => wordy[index]);
  const rest = wanted
    .filter((_, index) => !wordy[index])
    .reduce((sum, it) => sum + it + gap.length, 0);
  const cap = capOf(prose, columns - rest);
  if (prose.length > 0 && cap >= readableProse)
    return wanted.map((it, index) => (wordy[index] ? Math.min(it, cap) : it));
  const most = Math.max(1, capOf(wanted, columns));
  return wanted.map((it) => Math.min(it, most));
};

const readableProse = 8;

/** Several words, and not the time of day behind a date. */
const isProse = (cell: string): boolean => /\s/.test(cell) && !/^\d{4}-\d\d-\d\d /.test(cell);

/** The width that no column may exceed so that all fit: the widest are cut first. */
const capOf = (wanted: readonly number[], columns: number): number => {
  let room = columns - gap.length * (wanted.length - 1);
  const ascending = [...wanted].sort((a, b) => a - b);
  for (const [index, it] of ascending.entries()) {
    const share = Math.floor(room / (ascending.length - index));
    if (it > share) return share;
    room -= it;
  }
  return Number.POSITIVE_INFINITY;
};

const holdsNumbers = (column: ReadableColumn, rows: readonly unknown[]): boolean => {
  const kinds = rows.map(column.isNumber);
  return kinds.includes(true) && !kinds.includes(false);
};

const draw = (
  lines: readonly (readonly string[])[],
  { widths, numeric }: Layout,
  header: boolean,
  colour: boolean,
): string => {
  const standIns: string[] = [];
  const layout = new Table({ chars: borders, style: plain, colWidths: [...widths] });
  for (const line of lines)
    layout.push(
      line.map((cell, index) => {
        const side = numeric?.[index] ? "right" : "left";
        return measured(aligned(cell, widths[index] ?? 1, side), standIns);
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
  return "\ue000".repeat(width(cell));
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
