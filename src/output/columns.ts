/** The columns of a table, TSV or CSV: how a command names them, and how each is read from a row and shown. */

import { tableText } from "./text/cell.ts";
import { sanitize } from "./text/safe.ts";
import { stateText } from "./text/state-words.ts";
import type { Column, ComputedColumn, View } from "./view.ts";

/** A column as a name and a function of any row. */
export type CellReader = ComputedColumn<unknown>;

/** The columns as readers. A command declares them for exactly the rows that it passes. */
export const readersOf = (columns: readonly Column<never>[]): CellReader[] =>
  columns.map((column) => toComputed(column) as CellReader);

/** A member that a table leaves out first if the screen is narrow. */
export const minor = <const Name extends string>(name: Name) =>
  ({ name, value: (row: Readonly<Record<Name, unknown>>) => row[name], isMinor: true }) as const;

/** A member that a table leaves out after all others. */
export const vital = <const Name extends string>(name: Name) =>
  ({ name, value: (row: Readonly<Record<Name, unknown>>) => row[name], isVital: true }) as const;

/** Columns of rows whose type does not name their members. */
export const columnsNamed = (...names: readonly string[]) =>
  names.map((name) => toComputed<unknown>(name));

export const toComputed = <R>(column: string | ComputedColumn<R>): ComputedColumn<R> =>
  typeof column === "string" ? { name: column, value: (row) => read(row, column) } : column;

/** The value at a dotted path; a member whose own name has dots is found first. */
const read = (from: unknown, path: string): unknown => {
  if (typeof from !== "object" || from === null) return undefined;
  if (Object.hasOwn(from, path)) return Reflect.get(from, path);
  const dot = path.indexOf(".");
  return dot < 0 ? undefined : read(read(from, path.slice(0, dot)), path.slice(dot + 1));
};

export interface ReadableColumn extends CellReader {
  /** `DATE CREATED` for `dateCreated`. */
  readonly title: string;
  readonly text: (row: unknown) => string;
  /** Whether a row holds a number here; undefined if it holds nothing. */
  readonly isNumber: (row: unknown) => boolean | undefined;
}

/** Cells are composed (NFC), because terminals and width tables disagree on loose Hangul letters. */
export const readable = (view: View, readers: readonly CellReader[]): ReadableColumn[] => {
  const text = tableText(view);
  return readers.map((reader) => {
    const { name, value } = reader;
    return {
      ...reader,
      title: sanitize(name.replace(/([a-z0-9])([A-Z])/g, "$1 $2").toUpperCase()),
      name: sanitize(name),
      text: (row) => sanitize(stateText(name, text(value(row))).normalize("NFC")),
      isNumber: (row) => {
        const cell = value(row);
        return cell === null || cell === undefined ? undefined : typeof cell === "number";
      },
    };
  });
};
