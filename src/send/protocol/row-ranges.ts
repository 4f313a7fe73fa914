/** Rows of a run by their places in the order planned, as half-open ranges from 0: which are in a group, which are left. */

export interface RowRange {
  readonly from: number;
  readonly to: number;
}

export const countRows = (some: readonly RowRange[]): number =>
  some.reduce((sum, { from, to }) => sum + to - from, 0);

export const overlap = (some: readonly RowRange[], others: readonly RowRange[]): boolean =>
  some.some((one) => others.some((other) => one.from < other.to && other.from < one.to));

/** The rows that are not among the others. */
export const rowsWithout = (
  some: readonly RowRange[],
  others: readonly RowRange[],
): readonly RowRange[] =>
  others.reduce<readonly RowRange[]>((left, other) => left.flatMap((it) => cut(it, other)), some);

const cut = (rows: RowRange, other: RowRange): readonly RowRange[] =>
  [
    { from: rows.from, to: Math.min(rows.to, other.from) },
    { from: Math.max(rows.from, other.to), to: rows.to },
  ].filter(({ from, to }) => from < to);

/** The same rows in as few ranges as possible. */
export const mergeRows = (some: readonly RowRange[]): readonly RowRange[] => {
  const merged: RowRange[] = [];
  for (const rows of [...some].sort((one, other) => one.from - other.from)) {
    const last = merged.at(-1);
    if (last && last.to >= rows.from)
      merged[merged.length - 1] = { from: last.from, to: Math.max(last.to, rows.to) };
    else merged.push(rows);
  }
  return merged;
};

/** `1-100,201-300`, as a group carries it: from 1, both ends included. */
export const formatRows = (some: readonly RowRange[]): string =>
  some.map(({ from, to }) => `${from + 1}-${to}`).join();

/** Undefined for a text that names no rows. */
export const parseRows = (text: string | undefined): readonly RowRange[] | undefined => {
  const ranges = (text ?? "").split(",").map((range) => /^(\d{1,9})-(\d{1,9})$/.exec(range));
  const rows = ranges.map((it) => ({ from: Number(it?.[1] ?? 0) - 1, to: Number(it?.[2] ?? -1) }));
  return rows.every(({ from, to }) => from >= 0 && from < to) ? rows : undefined;
};
