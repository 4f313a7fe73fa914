/**
 * The kinds of field in requests, each a schema that carries its description: help, prompts, errors
 * and the reference all print the same description.
 */
import * as v from "valibot";

/** What a field means beyond its type; read by flags, help, validation and the redactor. */
export interface FieldFacts {
  /**
   * How a person writes it: the word in help, and how flags read dates, JSON and files. Phone numbers
   * are checked in message/numbers.ts instead.
   */
  readonly kind?:
    | "phone"
    | "date"
    | "seoulTime"
    | "duration"
    | "money"
    | "secret"
    | "id"
    | "json"
    | "file"
    | "content";
  /** For dates: whether a day without a time means its beginning or its end. */
  readonly bound?: "from" | "until";
  readonly unit?: string;
  /** The flag's name, if it is not the member's name in kebab-case. */
  readonly flag?: string;
  /** Usual values, for completion; others are accepted too. */
  readonly offers?: readonly string[];
  /** One word may hold several pairs, separated by commas: `to=phone,name=customer`. */
  readonly together?: true;
  /** The names that pairs may have; absent means any. */
  readonly names?: readonly string[];
  /** A short form of the flag: `-f`. */
  readonly short?: string;
  /** Operators that a query parameter allows; absent means `eq` only. */
  readonly operators?: readonly Operator[];
  /** A switch that is on by default: help shows it as `--no-…`. */
  readonly isOnByDefault?: true;
  /** A query parameter that must be present, and has a meaning when it is empty. */
  readonly mayBeEmpty?: true;
  /** The service demands it although the schema lets it through: it answers with a code of its own. */
  readonly required?: true;
}

export type Operator = "eq" | "ne" | "like" | "gte" | "lte" | "gt" | "lt" | "in";

/** A day alone: `gte` and `lte` include all of it, `gt` and `lt` none. */
export const dayBound: Readonly<Partial<Record<Operator, "from" | "until">>> = {
  gte: "from",
  lt: "from",
  lte: "until",
  gt: "until",
};

type Schema = v.GenericSchema;

export const text = (description: string, facts: FieldFacts = {}) =>
  v.pipe(v.string(), v.description(description), v.metadata({ ...facts }));

/** What looks the same is the same: a line of a CRLF file ends in a blank, and macOS parts the letters of Hangul. */
export const key = (description: string) =>
  v.pipe(v.string(), v.trim(), v.normalize("NFC"), v.description(description), v.metadata({}));

/** A key that was typed as the name of a run. */
export const asKey = (typed: string): string => v.parse(key(""), typed);

export const id = (description: string) => text(description, { kind: "id" });
/** A path on this machine, `-` for standard input; never read as a text of its own. */
export const file = (description: string) => text(description, { kind: "file" });
export const phone = (description: string) => text(description, { kind: "phone" });
/** Never a flag, never printed, never logged. */
export const secret = (description: string) => text(description, { kind: "secret" });

export const number = (description: string, facts: FieldFacts = {}) =>
  v.pipe(v.number(), v.description(description), v.metadata({ ...facts }));

/** An amount in won. */
export const money = (description: string) => number(description, { kind: "money", unit: "won" });

export const flag = (description: string, facts: FieldFacts = {}) =>
  v.pipe(v.boolean(), v.description(description), v.metadata({ ...facts }));

/** A filter by time: a day or an instant on the command line, a full instant on the wire. */
export const date = (description: string, bound?: "from" | "until") =>
  text(description, {
    kind: "date",
    ...(bound && { bound, flag: bound === "from" ? "since" : "until" }),
  });

/** A length of time as people type it: `30s`, `5m`. */
export const duration = (description: string) => text(description, { kind: "duration" });

/** A time of the service's records: ISO 8601, UTC, milliseconds. */
export const timestamp = () => v.string();

export const dated = { dateCreated: timestamp(), dateUpdated: timestamp() };

/** Where a page of a list began, and where the next one continues. */
export const keys = { startKey: v.nullable(v.string()), nextKey: v.nullable(v.string()) };

export const choice = <const T extends readonly string[]>(options: T, description: string) =>
  v.pipe(v.picklist(options), v.description(description));

export const list = <S extends Schema>(of: S, description: string) =>
  v.pipe(v.array(of), v.description(description));

/** The same schema, which refuses a list: valibot reads one as an object whose names are its indexes. */
export const noList = <S extends Schema>(schema: S): S => ({
  ...schema,
  "~run": (given, config) =>
    schema["~run"](Array.isArray(given.value) ? { value: "[]" } : given, config),
});

/** Pairs of a key and a value, both texts. */
export const pairs = (description: string, facts: FieldFacts = {}) =>
  v.pipe(
    noList(v.record(v.string(), v.string())),
    v.description(description),
    v.metadata({ ...facts }),
  );

/** An object whose members are not declared here. */
export const json = (description: string) =>
  v.pipe(
    noList(v.record(v.string(), v.unknown())),
    v.description(description),
    v.metadata({ kind: "json" }),
  );

/** A record whose members are all texts. */
export const texts = <const N extends readonly string[]>(...names: N) =>
  v.object(v.entriesFromList(names, v.string()));

/** The same schema with a description of its own, for a record that is used as a field. */
export const withDescription = <S extends Schema>(schema: S, description: string) =>
  v.pipe(schema, v.description(description));

/** A document: spreadsheet, picture, file. Arrives as it is, never parsed. */
export const bytes = (description: string) =>
  v.pipe(v.instance(Uint8Array), v.description(description));

/** A spreadsheet, a whole ZIP file: neither a sign-in page on the way nor a file that was cut short is one. */
export const spreadsheet = (description: string) =>
  v.pipe(
    bytes(description),
    v.check((body) => {
      const file = Buffer.from(body);
      // The end record: 22 bytes, the last two of them the length of the comment behind it.
      const end = file.lastIndexOf("PK\u0005\u0006", -22);
      if (end <= 0 || !file.subarray(0, 2).equals(Buffer.from("PK"))) return false;
      return end + 22 + file.readUInt16LE(end + 20) === file.length;
    }),
  );

/** A query parameter that must be given; all others may be left out. */
export const required = <S extends Schema>(schema: S): S & { readonly mandatory: true } => ({
  ...schema,
  mandatory: true,
});

/**
 * A query parameter that allows more than `eq`: `field=value` or `field[op]=value`, several ANDed.
 * The bare form means `eq` and is refused if `eq` is not in the list.
 */
export const operators = <S extends Schema, const O extends readonly Operator[]>(
  schema: S,
  ...allowed: O
) =>
  v.pipe(
    v.union([
      schema,
      v.strictObject(
        Object.fromEntries(
          allowed.map((name) => [name, v.optional(name === "in" ? v.array(schema) : schema)]),
        ) as {
          [K in O[number]]: v.OptionalSchema<
            K extends "in" ? v.ArraySchema<S, undefined> : S,
            undefined
          >;
        },
      ),
    ]),
    v.description(v.getDescription(schema) ?? ""),
    v.metadata({ ...factsOf(schema), operators: allowed }),
  );

/** What is known about a field, inside `optional` and `nullable` wrappers. */
export const factsOf = (schema: Schema): FieldFacts => v.getMetadata(unwrap(schema));

export const describe = (schema: Schema): string =>
  v.getDescription(schema) ?? v.getDescription(unwrap(schema)) ?? "";

export const isOptional = (schema: Schema): boolean =>
  schema.type === "optional" || schema.type === "exact_optional" || schema.type === "nullish";

/** The schema inside `optional`, `nullable` and `nullish`. */
export const unwrap = (schema: Schema): Schema => {
  const inner: unknown = "wrapped" in schema ? schema.wrapped : undefined;
  return isSchema(inner) ? unwrap(inner) : schema;
};

/** The schema of the items of an array, or of the values of an object keyed by id. */
export const itemOf = (schema: Schema): Schema | undefined => {
  const inner = unwrap(schema);
  if (inner.type !== "array" && inner.type !== "record") return undefined;
  const item: unknown = "item" in inner ? inner.item : "value" in inner ? inner.value : undefined;
  return isSchema(item) ? item : undefined;
};

/** The bare form of a field with operators: the first schema of the union. */
export const bareOf = (schema: Schema): Schema | undefined => {
  const inner = unwrap(schema);
  const first: unknown =
    "options" in inner && Array.isArray(inner.options) ? inner.options[0] : undefined;
  return isSchema(first) ? first : undefined;
};

export const membersOf = (schema: Schema): Readonly<Record<string, Schema>> => {
  const inner = unwrap(schema);
  const entries: unknown = "entries" in inner ? inner.entries : undefined;
  if (typeof entries !== "object" || entries === null) return {};
  return Object.fromEntries(
    Object.entries(entries).flatMap(([name, member]) => (isSchema(member) ? [[name, member]] : [])),
  );
};

const isSchema = (value: unknown): value is Schema =>
  typeof value === "object" && value !== null && "kind" in value && value.kind === "schema";

/** `startDate` → `start-date`. */
export const kebab = (name: string): string =>
  name.replace(/([a-z0-9])([A-Z])/g, "$1-$2").toLowerCase();

/** The formats of what is printed: one list for the settings and for the output. */
export const formats = ["table", "tsv", "csv", "json", "jsonl"] as const;

export type Format = (typeof formats)[number];
