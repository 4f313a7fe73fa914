/**
 * Which columns of a table are on the screen, and how wide. Seconds are dropped first, then the middle of
 * ids, then whole columns, minor ones first and vital ones last. Words are cut to a readable length,
 * numbers never.
 */
import { displayWidth } from "../text/width.ts";

export const gap = "  ";
/** `2026-01-15 10:15:00` without its seconds. */
export const withoutSeconds = 16;
/** `G4V2026…WCW` */
const shortId = 11;
/** Words that are cut further than this no longer say anything. */
const readableWords = 12;

export type Kind = "id" | "time" | "words" | "whole";

/** `2026-01-15 10:15:00`, an instant in the zone of the view. */
export const isTimeText = (cell: string): boolean => /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/.test(cell);

/** The kind of a column's cells, read from the first page. */
export const kindOf = (cells: readonly string[]): Kind => {
  const filled = cells.filter((cell) => cell !== "");
  if (filled.length === 0) return "whole";
  if (filled.every(isTimeText)) return "time";
  if (filled.every((cell) => /^(?=.*\d)[\w-]{16,}$/.test(cell))) return "id";
  return filled.every((cell) => /^[\w.,:+-]{1,40}$/.test(cell)) ? "whole" : "words";
};

/** `G4V20260115101500AB12CD34EF56GH7` in 11 columns: `G4V2026…GH7`. Ids are ASCII. */
export const shortenedId = (id: string, columns: number): string => {
  if (id.length <= columns) return id;
  const head = Math.min(7, columns - 2);
  return `${id.slice(0, head)}…${id.slice(id.length - (columns - 1 - head))}`;
};

export interface ColumnSize {
  readonly kind: Kind;
  /** The widest cell, here and on the pages before. */
  readonly cells: number;
  /** Empty without a header. */
  readonly title: string;
  /** Left out before the others. */
  readonly isMinor: boolean | undefined;
  /** Left out after the others. */
  readonly isVital: boolean | undefined;
}

/** The width of each column; undefined if the screen has no room for it. */
export type Widths = readonly (number | undefined)[];

/** The widths of a table in `screen` columns; without a screen every column gets its full width. */
export const fittingWidths = (all: readonly ColumnSize[], screen: number | undefined): Widths => {
  if (screen === undefined) return all.map(natural);
  for (const omitted of omissions(all))
    for (const narrowed of narrowings) {
      const widths = all.map((column, index) =>
        omitted.has(index) ? undefined : minWidth(column, narrowed.includes(column.kind)),
      );
      if (total(widths) <= screen) return grown(all, widths, screen);
    }
  return all.map((_, index) => (index === 0 ? screen : undefined));
};

/** The kinds that are shortened, in this order. */
const narrowings: readonly (readonly Kind[])[] = [[], ["time"], ["time", "id"]];

/** The same for a table that has begun: no column is added or dropped, and cells that are too wide are cut. */
export const laterWidths = (
  all: readonly ColumnSize[],
  before: Widths,
  screen: number | undefined,
): Widths => (screen === undefined ? all.map(natural) : grown(all, before, screen, []));

const natural = ({ cells, title }: ColumnSize): number => Math.max(cells, displayWidth(title));

/** A title is set in several lines before it is cut. */
const longestWord = (title: string): number => Math.max(1, ...title.split(" ").map(displayWidth));

const minWidth = ({ kind, cells, title }: ColumnSize, isNarrow: boolean): number => {
  const limit: Record<Kind, number> = {
    id: isNarrow ? shortId : cells,
    time: isNarrow ? withoutSeconds : cells,
    words: readableWords,
    whole: cells,
  };
  return Math.max(Math.min(cells, limit[kind]), longestWord(title));
};

/** The columns to leave out: none, then one after the other, never the first column. */
const omissions = (all: readonly ColumnSize[]): ReadonlySet<number>[] => {
  const rank = (index: number) =>
    Number(all[index]?.isVital ?? false) - Number(all[index]?.isMinor ?? false);
  const fromTheRight = [...all.keys()].slice(1).reverse();
  const order = fromTheRight.sort((one, other) => rank(one) - rank(other));
  return [...order.keys(), order.length].map((count) => new Set(order.slice(0, count)));
};

const total = (widths: Widths): number => {
  const shown = widths.filter((it) => it !== undefined);
  return shown.reduce((sum, it) => sum + it + gap.length, -gap.length);
};

/**
 * The remaining width goes to words, then to ids, the narrowest first; then to seconds and titles. A
 * column of a kind in `atOnce` gets all the width that it lacks, or none.
 */
const grown = (
  all: readonly ColumnSize[],
  widths: Widths,
  screen: number,
  atOnce: readonly Kind[] = ["time", "whole"],
): Widths => {
  const grows = [...widths];
  let room = screen - total(widths);
  const lacking = (at: number): number => {
    const [column, width] = [all[at], grows[at]];
    return column && width !== undefined ? Math.max(0, natural(column) - width) : 0;
  };
  const take = (at: number, columns: number): void => {
    grows[at] = (grows[at] ?? 0) + columns;
    room -= columns;
  };
  for (const kind of ["words", "id", "time", "whole"] as const) {
    const isAtOnce = atOnce.includes(kind);
    const next = (): number | undefined =>
      [...grows.keys()]
        .filter((at) => all[at]?.kind === kind && lacking(at) > 0)
        .filter((at) => room >= (isAtOnce ? lacking(at) : 1))
        .sort((one, other) => (grows[one] ?? 0) - (grows[other] ?? 0))[0];
    for (let at = next(); at !== undefined; at = next()) take(at, isAtOnce ? lacking(at) : 1);
  }
  return grows;
};
