/** Which members of a record are shown: `--fields`, checked before any request is made; and what JSON shows of them. */

import { didYouMean, usageError } from "../errors.ts";
import { t } from "../locale/locale.ts";
import { type CellReader, toComputed } from "./columns.ts";
import type { Column, View } from "./view.ts";

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

/**
 * What JSON shows of a row: the record untouched, or with `--fields` the members named, each at its
 * own place: `a,b.c` → `{"a":…,"b":{"c":…}}`. Members that the record lacks are left out.
 */
export const shownMembers = (
  view: View,
  readers: readonly CellReader[],
): ((row: unknown) => unknown) => {
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
    {
      code: "UnknownField",
      todo: names.length > 0 ? t`valid names: ${names.join(", ")}` : undefined,
    },
  );

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
