/**
 * How many columns of a terminal a text takes; and how wide the columns of a table are on a screen: words
 * are cut, an id or a number never.
 */
import stringWidth from "fast-string-width";

/** Columns taken by one line of safe text; Hangul and emoji take two. */
export const displayWidth = (text: string): number => stringWidth(text);

/** A text of exactly `columns` columns: cut with `…` where it is longer, else padded. */
export const aligned = (text: string, columns: number, side: "left" | "right" = "left"): string => {
  const shown = truncateToWidth(text, columns);
  const space = " ".repeat(Math.max(0, columns - displayWidth(shown)));
  return side === "left" ? shown + space : space + shown;
};

/** A text of at most `columns` columns, cut between characters as a person sees them. */
export const truncateToWidth = (text: string, columns: number): string => {
  if (displayWidth(text) <= columns) return text;
  if (columns < 1) return "";
  const kept: string[] = [];
  let taken = 0;
  // A column holds at most 16 UTF-16 units of safe text: the rest of a long text is not looked at.
  for (const { segment } of new Intl.Segmenter().segment(text.slice(0, columns * 16))) {
    taken += displayWidth(segment);
    if (taken > columns - 1) break;
    kept.push(segment);
  }
  while (displayWidth(`${kept.join("")}…`) > columns) kept.pop();
  return `${kept.join("")}…`;
};

export const gap = "  ";

/** Prose that is cut further than this says nothing any more. */
const readableProse = 8;
/** What is left of a title that is wider than its cells. */
const readableTitle = 5;
/** `2026-01-15 10:15:00` without its seconds. */
export const withoutSeconds = 16;

/**
 * `whole`: an id, a number, a word, of no use once it was cut. `time`: may go without its seconds.
 * `words`: everything else, cut as the screen demands.
 */
export type Kind = "whole" | "time" | "words";

/** What the cells of a column are, read from the first page. */
export const kindOf = (cells: readonly string[]): Kind => {
  const filled = cells.filter((cell) => cell !== "");
  if (filled.length > 0 && filled.every(isTime)) return "time";
  return filled.every((cell) => /^[\w.,:+-]{1,40}$/.test(cell)) ? "whole" : "words";
};

const isTime = (cell: string): boolean => /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/.test(cell);

export interface Column {
  readonly kind: Kind;
  /** The widest cell, here and on the pages before. */
  readonly cells: number;
  readonly title: number;
}

export const widest = (cells: readonly string[], before: number): number =>
  cells.reduce((max, cell) => Math.max(max, displayWidth(cell)), before);

/**
 * Widths that fit into `columns`: words give way first, then the titles of narrow cells, then the
 * seconds. Undefined where something else would have to be cut.
 */
export const fittingWidths = (
  all: readonly Column[],
  columns: number | undefined,
): number[] | undefined => {
  const natural = all.map(({ cells, title }) => Math.max(cells, title));
  if (columns === undefined) return natural;
  const steps = [natural, all.map(withShortTitle), all.map(withoutItsSeconds)];
  for (const wanted of steps) {
    const words = wanted.filter((_, index) => all[index]?.kind === "words");
    const others = wanted.filter((_, index) => all[index]?.kind !== "words");
    const room = columns - others.reduce((sum, it) => sum + it + gap.length, 0);
    const cap = words.length === 0 ? room + gap.length : capOf(words, room);
    if (cap < (words.length === 0 ? 0 : readableProse)) continue;
    const fitted = wanted.map((it, index) =>
      all[index]?.kind === "words" ? Math.min(it, cap) : it,
    );
    return withTitles(fitted, all, columns);
  }
  return undefined;
};

/** What the screen has left goes to the titles that were cut. */
const withTitles = (fitted: readonly number[], all: readonly Column[], columns: number) => {
  let left = columns - fitted.reduce((sum, it) => sum + it + gap.length, -gap.length);
  return fitted.map((it, index) => {
    const more = Math.min(left, Math.max(0, (all[index]?.title ?? 0) - it));
    left -= more;
    return it + more;
  });
};

/** For a table that has begun and meets wider cells: everything is cut, the widest first. */
export const squeeze = (all: readonly Column[], columns: number): number[] => {
  const natural = all.map(({ cells, title }) => Math.max(cells, title));
  const max = Math.max(1, capOf(natural, columns));
  return natural.map((it) => Math.min(it, max));
};

const withShortTitle = ({ kind, cells, title }: Column): number =>
  Math.max(cells, kind === "words" ? title : Math.min(title, readableTitle));

const withoutItsSeconds = (column: Column): number =>
  column.kind === "time" ? withoutSeconds : withShortTitle(column);

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
