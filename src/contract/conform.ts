/** A reply in the shape that its schema declares, whatever the service left out or wrote as text. */
import type * as v from "valibot";
import { bareOf, itemOf, membersOf, unwrap } from "./fields.ts";

type Schema = v.GenericSchema;

type Conform = (value: unknown) => unknown;

/**
 * Turns a value into one that a column can read: missing and null mean the same, lists and objects are present,
 * figures that came as text are numbers. A missing text is empty; anything else that cannot be converted stays
 * undefined, never a guess. Built once for a schema: a list may have a million rows.
 */
export const conformTo = (schema: Schema): Conform => {
  const inner = unwrap(schema);
  const conform = conformToInner(inner);
  if (inner === schema) return conform;
  const absent = schema.type === "optional" ? undefined : null;
  return (value) => (isAbsent(value) ? absent : conform(value));
};

const conformToInner = (schema: Schema): Conform => {
  const members = Object.entries(membersOf(schema));
  if (members.length > 0) return conformToObject(members);
  const of = itemOf(schema);
  const conformItem = of ? conformTo(of) : (item: unknown) => item;
  if (schema.type === "array")
    return (value) => (Array.isArray(value) ? value.map((it) => conformItem(it)) : []);
  // A record may come in another form: anything but an object stays as it came.
  if (schema.type === "record" && of)
    return (value) =>
      isAbsent(value) || isObject(value) ? mapped(value ?? {}, conformItem) : value;
  const missing = schema.type === "string" ? "" : undefined;
  const read = readers[(bareOf(schema) ?? schema).type] ?? ((value: unknown) => value);
  return (value) => (isAbsent(value) ? missing : read(value));
};

/** Most members of most rows are absent: their defaults are computed once. */
const conformToObject = (members: readonly (readonly [string, Schema])[]): Conform => {
  const conforms = new Map(members.map(([name, of]) => [name, conformTo(of)]));
  const absent = Object.fromEntries([...conforms].map(([name, it]) => [name, it(undefined)]));
  return (value) => {
    if (!isObject(value)) return absent;
    const shaped: Record<string, unknown> = { ...absent, ...value };
    for (const name of Object.keys(value)) {
      const conform = conforms.get(name);
      if (conform) shaped[name] = conform(value[name]);
    }
    return shaped;
  };
};

const mapped = (value: object, conform: Conform): unknown =>
  Object.fromEntries(Object.entries(value).map(([name, it]) => [name, conform(it)]));

const isAbsent = (value: unknown): value is null | undefined =>
  value === null || value === undefined;

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
