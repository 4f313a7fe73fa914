/** A reply in the shape that its schema declares, whatever the service left out or wrote as text. */
import type * as v from "valibot";
import { bareOf, itemOf, membersOf, unwrap } from "./fields.ts";

type Schema = v.GenericSchema;

/**
 * The value for a column to read: missing and null mean the same, lists and objects are there, figures that
 * came as text are figures. A text that is missing is empty; what else cannot be made right stays
 * undefined, never a guess.
 */
export const conform = (schema: Schema, value: unknown): unknown => {
  const inner = unwrap(schema);
  const isAbsent = value === null || value === undefined;
  if (isAbsent && inner !== schema) return schema.type === "optional" ? undefined : null;
  const members = Object.entries(membersOf(inner));
  if (members.length > 0) {
    const given = isObject(value) ? value : {};
    return {
      ...given,
      ...Object.fromEntries(members.map(([name, of]) => [name, conform(of, given[name])])),
    };
  }
  const item = itemOf(inner);
  if (inner.type === "array")
    return Array.isArray(value) ? value.map((it) => (item ? conform(item, it) : it)) : [];
  // A record may come in another form: what is no object stays as it came.
  if (inner.type === "record" && item && (isAbsent || isObject(value)))
    return Object.fromEntries(
      Object.entries(isObject(value) ? value : {}).map(([name, it]) => [name, conform(item, it)]),
    );
  if (isAbsent) return inner.type === "string" ? "" : undefined;
  const read = readers[(bareOf(inner) ?? inner).type];
  return read ? read(value) : value;
};

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const truths: ReadonlyMap<unknown, boolean> = new Map<unknown, boolean>([
  [true, true],
  ["true", true],
  [1, true],
  [false, false],
  ["false", false],
  [0, false],
]);

const readers: Readonly<Record<string, (value: unknown) => unknown>> = {
  boolean: (value) => truths.get(value),
  string: (value) => (typeof value === "object" ? undefined : String(value)),
  number: (value) => {
    const figure = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
    return Number.isFinite(figure) ? figure : undefined;
  },
};
