/** Which members of a record are shown: `--fields`, checked before any request is made. */

import { didYouMean, usageError } from "../errors.ts";
import { t } from "../locale/locale.ts";
import { tableText } from "./text/cell.ts";
import { sanitize } from "./text/safe.ts";
import { stateText } from "./text/state-words.ts";
import type { Column, ComputedColumn, View } from "./view.ts";

/**
 * The columns that `--fields` names, in its order; the given ones without it. `known` are the
 * members that records may have (`to`, `count.total`); everything below a known member is allowed.
 * Undefined: records may have any. Throws a usage error that lists the valid names.
 */
export const selectFields = <R>(
  view: View,
  columns: readonly Column<R>[],
  known: readonly string[] | undefined,
): readonly Column<R>[] => {
  if (view.fields === undefined) return columns;
  const own = columns.map((column) => toComputed(column));
  const names = [...new Set([...(known ?? []), ...own.map((column) => column.name)])];
  if (view.fields.length === 0) throw unknownFieldError("", names);
  return view.fields.map((field) => {
    const member = known?.some((name) => hasField(name, field)) ?? false;
    // JSON shows the service's own member even if a column of that name formats it differently.
    const column = own.find((it) => it.name === field);
    if (column && !(member && isJson(view))) return column;
    const isKnown = known === undefined || member || own.some((it) => hasField(it.name, field));
    if (!isKnown) throw unknownFieldError(field, names);
    return toComputed<R>(field);
  });
};

/** A column as a name and a function of any row. */
export type Reader = ComputedColumn<unknown>;

/** The columns as readers. A command declares them for exactly the rows that it passes. */
export const readersOf = (columns: readonly Column<never>[]): Reader[] =>
  columns.map((column) => toComputed(column) as Reader);

/** A member that a table leaves out first if the screen is narrow. */
export const minor = <const Name extends string>(name: Name) =>
  ({ name, value: (row: Readonly<Record<Name, unknown>>) => row[name], isMinor: true }) as const;

/** A member that a table leaves out after all others. */
export const vital = <const Name extends string>(name: Name) =>
  ({ name, value: (row: Readonly<Record<Name, unknown>>) => row[name], isVital: true }) as const;

/** Columns of rows whose type does not name their members. */
export const columnsNamed = (...names: readonly string[]) =>
  names.map((name) => toComputed<unknown>(name));

const toComputed = <R>(column: string | ComputedColumn<R>): ComputedColumn<R> =>
  typeof column === "string" ? { name: column, value: (row) => read(row, column) } : column;

/**
 * What JSON shows of a row: the record untouched, or with `--fields` the members named, each at its
 * own place: `a,b.c` → `{"a":…,"b":{"c":…}}`. Members that the record lacks are left out.
 */
export const membersOf = (view: View, readers: readonly Reader[]): ((row: unknown) => unknown) => {
  if (view.fields === undefined) return (row) => row;
  return (row) => {
    const result: Bare = Object.create(null);
    for (const { name, value } of readers) put(result, name.split("."), value(row));
    return result;
  };
};

/** Whether records are shown as they are, not as rows of cells. */
export const isJson = (view: View): boolean => view.format === "json" || view.format === "jsonl";

const hasField = (name: string, field: string): boolean =>
  field === name || field.startsWith(`${name}.`);

const unknownFieldError = (field: string, names: readonly string[]): Error =>
  usageError(
    field === ""
      ? t`--fields names no field`
      : t`--fields: unknown field '${field}'${didYouMean(field, names)}`,
    { code: "UnknownField", todo: t`valid names: ${names.join(", ")}` },
  );

/** The value at a dotted path; a member whose own name has dots is found first. */
const read = (from: unknown, path: string): unknown => {
  if (typeof from !== "object" || from === null) return undefined;
  if (Object.hasOwn(from, path)) return Reflect.get(from, path);
  const dot = path.indexOf(".");
  return dot < 0 ? undefined : read(read(from, path.slice(0, dot)), path.slice(dot + 1));
};

/** Without a prototype: a member named `__proto__` is then a member like any other. */
type Bare = { [name: string]: unknown };

const put = (into: Bare, [name = "", ...rest]: readonly string[], value: unknown): void => {
  if (value === undefined) return;
  if (rest.length === 0) {
    into[name] = value;
    return;
  }
  into[name] ??= Object.create(null);
  const inner = into[name];
  // Anything else is a member requested as a whole: it already holds the part.
  if (isBare(inner)) put(inner, rest, value);
};

const isBare = (value: unknown): value is Bare =>
  typeof value === "object" && value !== null && Object.getPrototypeOf(value) === null;

export interface ReadableColumn extends Reader {
  /** `DATE CREATED` for `dateCreated`. */
  readonly title: string;
  readonly text: (row: unknown) => string;
  /** Whether a row holds a number here; undefined if it holds nothing. */
  readonly isNumber: (row: unknown) => boolean | undefined;
}

/** Cells are composed (NFC), because terminals and width tables disagree on loose Hangul letters. */
export const readable = (view: View, readers: readonly Reader[]): ReadableColumn[] => {
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
