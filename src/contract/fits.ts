/**
 * Whether a value is just what a schema declares, found without building it anew: ten thousand messages
 * of a call are nearly always right, and only the library itself says what is wrong with one that is not.
 */
import type * as v from "valibot";

/** True where the schema takes the value and gives it back as it is. False says nothing. */
export type Fits = (value: unknown) => boolean;

type Schema = v.GenericSchema;

const never: Fits = () => false;
const isObject = (value: unknown): value is object => typeof value === "object" && value !== null;
const isSchema = (value: unknown): value is Schema =>
  isObject(value) && "kind" in value && value.kind === "schema";

/** Built once for a schema. Kinds that are not known here never fit. */
export const fitting = (schema: Schema): Fits => {
  const kind = kinds[schema.type];
  if (kind === undefined) return never;
  const fits = kind(schema);
  const steps = "pipe" in schema && Array.isArray(schema.pipe) ? schema.pipe.slice(1) : [];
  // What is more than words may refuse or change the value.
  return steps.every(({ kind: what }) => what === "metadata") ? fits : never;
};

const inside = (schema: Schema, name: string): Fits => {
  const inner: unknown = Reflect.get(schema, name);
  return isSchema(inner) ? fitting(inner) : never;
};

const ofObject = (schema: Schema): Fits => {
  const entries: unknown = Reflect.get(schema, "entries");
  const members = new Map<string, Fits>();
  const wanted: string[] = [];
  for (const [name, inner] of Object.entries(isObject(entries) ? entries : {})) {
    if (!isSchema(inner)) return never;
    members.set(name, fitting(inner));
    if (inner.type !== "optional" || Reflect.get(inner, "default") !== undefined) wanted.push(name);
  }
  return (value) => {
    if (!isObject(value) || Array.isArray(value)) return false;
    for (const name in value) {
      const fits = members.get(name);
      if (fits === undefined || !fits(Reflect.get(value, name))) return false;
    }
    for (const name of wanted) if (!Object.hasOwn(value, name)) return false;
    return true;
  };
};

const ofArray = (schema: Schema): Fits => {
  const fits = inside(schema, "item");
  return (value) => {
    if (!Array.isArray(value)) return false;
    for (const item of value) if (!fits(item)) return false;
    return true;
  };
};

/** Names that the library leaves out of a record. */
const leftOut: ReadonlySet<string> = new Set(["__proto__", "prototype", "constructor"]);

const ofRecord = (schema: Schema): Fits => {
  const [names, values] = [inside(schema, "key"), inside(schema, "value")];
  return (value) => {
    if (!isObject(value) || Array.isArray(value)) return false;
    for (const name in value)
      if (leftOut.has(name) || !names(name) || !values(Reflect.get(value, name))) return false;
    return true;
  };
};

/** Of several forms, the first that takes a value counts. */
const ofUnion = (schema: Schema): Fits => {
  const options: unknown = Reflect.get(schema, "options");
  const forms = (Array.isArray(options) ? options : []).map((it) =>
    isSchema(it) ? fitting(it) : never,
  );
  return (value) => forms.some((fits) => fits(value));
};

const kinds: Readonly<Record<string, ((schema: Schema) => Fits) | undefined>> = {
  string: () => (value) => typeof value === "string",
  number: () => (value) => typeof value === "number" && !Number.isNaN(value),
  boolean: () => (value) => typeof value === "boolean",
  unknown: () => () => true,
  object: ofObject,
  array: ofArray,
  record: ofRecord,
  union: ofUnion,
  optional: (schema) => inside(schema, "wrapped"),
  nullable: (schema) => {
    const fits = inside(schema, "wrapped");
    return (value) => value === null || fits(value);
  },
};
