/** Schemas → flags, and what was typed → values of the schemas' types, or `--flag: what is wrong`. */

import * as v from "valibot";
import { describeIssue } from "../../contract/bounded.ts";
import type { Fields } from "../../contract/endpoint.ts";
import {
  bareOf,
  dayBound,
  describe,
  factsOf,
  isOptional,
  itemOf,
  kebab,
  type Operator,
  unwrap,
} from "../../contract/fields.ts";
import { seoulTime } from "../../contract/time.ts";
import { invalidInput, type Problem } from "../../errors.ts";
import { describeJsonFault, parseJson } from "../../json/read-json.ts";
import { t, translated } from "../../locale/locale.ts";
import { dateForms, daysAsRanges, readDate } from "./dates.ts";
import { trimLineBreak } from "./input.ts";

/** One flag (or positional) as help, completion and the parser see it. */
export interface Option {
  /** The member's name: `startDate`. */
  readonly key: string;
  /** The flag's name without dashes: `since`. */
  readonly name: string;
  /** Its letter: `f`. */
  readonly short: string | undefined;
  /** Further spellings: `start-date`. */
  readonly aliases: readonly string[];
  readonly schema: v.GenericSchema;
  readonly description: string;
  /** True for a switch: `--x`, `--no-x`, `--x=false`. */
  readonly isSwitch: boolean;
  readonly repeats: boolean;
  readonly required: boolean;
}

/** What reading a value may need: the clock, the zone, and the files of `@file` and `-`. */
export interface ReadContext {
  readonly now: Date;
  readonly timeZone: string;
  /** The text of a file, or of standard input for `-`. */
  readonly readText: (path: string) => Promise<string>;
}

/** The options of a set of fields; secrets are never options. */
export const optionsOf = (fields: Fields): Option[] =>
  Object.entries(fields)
    .filter(([, schema]) => factsOf(schema).kind !== "secret")
    .map(([key, schema]) => {
      const own = kebab(key);
      const name = factsOf(schema).flag ?? own;
      const inner = unwrap(schema);
      return {
        key,
        name,
        short: factsOf(schema).short,
        aliases: name === own ? [] : [own],
        schema,
        description: describe(schema),
        isSwitch: inner.type === "boolean",
        repeats: inner.type === "array" || inner.type === "record" || allowsOperators(schema),
        required: isRequired(schema),
      };
    });

/** Whether a field must be given: marked so, by the schema or by the service. */
const isRequired = (schema: v.GenericSchema): boolean =>
  "mandatory" in schema || (!isOptional(schema) && factsOf(schema).required === true);

/** The name in help: a switch that is on by default is shown as `--no-…`. */
export const shownName = ({ name, schema }: Option): string =>
  factsOf(schema).isOnByDefault ? `no-${name}` : name;

/** The value of a flag in help: `<date>`, `<n>`, `<a|b>`. */
export const placeholder = (schema: v.GenericSchema): string => {
  const inner = unwrap(schema);
  if ("options" in inner && inner.type === "picklist" && Array.isArray(inner.options))
    return inner.options.join("|");
  if (inner.type === "record") return factsOf(schema).kind === "json" ? "json" : "k=v";
  const item = itemOf(schema);
  if (item) return placeholder(item);
  if (inner.type === "number") return factsOf(schema).unit ?? "n";
  if (inner.type.endsWith("object")) return "json";
  const { kind } = factsOf(schema);
  const first = kind === undefined ? bareOf(schema) : undefined;
  if (first) return placeholder(first);
  return kind === "seoulTime" ? "date" : (kind ?? "text");
};

/**
 * Turns what was typed into values. Collects all problems into one usage error, each with its flag,
 * or with what `labelOf` returns, so that they can be fixed together.
 */
export const readValues = async (
  options: readonly Option[],
  typed: Readonly<Record<string, readonly string[]>>,
  reading: ReadContext,
  labelOf: (option: Option) => string = flagLabel,
): Promise<Record<string, unknown>> => {
  const values: Record<string, unknown> = {};
  const problems: Problem[] = [];
  for (const option of options) {
    const given = typed[option.key];
    if (given === undefined || given.length === 0) continue;
    const read = await readOption(option, given, reading);
    if (read.problem)
      problems.push({ code: "InvalidValue", field: labelOf(option), text: read.problem });
    else values[option.key] = read.value;
  }
  if (problems.length > 0) throw invalidInput(problems);
  return values;
};

const flagLabel = (option: Option): string => `--${option.name}`;

/** A positional, as help shows it. */
export const positionalLabel = (option: Option): string => `<${option.name}>`;

type Read = { readonly value?: unknown; readonly problem?: string };

/** Reads what was given for one option. */
export const readOption = async (
  option: Option,
  given: readonly string[],
  reading: ReadContext,
): Promise<Read> => {
  const schema = unwrap(option.schema);
  const last = given.at(-1) ?? "";
  if (allowsOperators(option.schema)) return readOperators(option.schema, given, reading);
  const { kind, together, names } = factsOf(option.schema);
  if (schema.type === "record" && kind !== "json")
    return readPairs(together ? given.flatMap(splitPairs) : given, names);
  const item = schema.type === "array" ? itemOf(option.schema) : undefined;
  if (item) {
    const items: unknown[] = [];
    for (const one of given) {
      const problem = listProblem(item, one);
      const read = problem ? { problem } : await readOne(item, one, reading);
      if (read.problem) return read;
      items.push(read.value);
    }
    return checked(option.schema, items);
  }
  return readOne(option.schema, last, reading);
};

const readOne = async (
  schema: v.GenericSchema,
  typed: string,
  reading: ReadContext,
  bound?: "from" | "until",
): Promise<Read> => {
  const inner = unwrap(schema);
  const facts = factsOf(schema);
  if (inner.type === "boolean") return readBoolean(typed);
  if (inner.type === "number") return readNumber(schema, typed);
  if (facts.kind === "json" || inner.type === "object" || inner.type === "loose_object")
    return readJson(schema, typed, reading);
  if (facts.kind === "date" || facts.kind === "seoulTime") {
    const instant = readDate(typed, { ...reading, bound: bound ?? facts.bound });
    if (!instant) return { problem: t`'${typed}' is not a date; ${translated(dateForms)}` };
    return { value: facts.kind === "seoulTime" ? seoulTime(instant) : instant.toISOString() };
  }
  if (inner.type === "picklist") return checked(schema, typed);
  return checked(schema, facts.kind === undefined ? await textOf(typed, reading) : typed);
};

/** What is wrong with a value of a repeatable flag: numbers are not separated by commas. */
const listProblem = (item: v.GenericSchema, typed: string): string | undefined =>
  unwrap(item).type === "number" && typed.includes(",")
    ? t`'${typed}' may be one number or several: give each by itself, without commas`
    : undefined;

/** Digits; commas between thousands. */
const readNumber = (schema: v.GenericSchema, typed: string): Read => {
  if (!/^\s*[-+]?(\d+|\d{1,3}(,\d{3})+)(\.\d+)?\s*$/.test(typed))
    return { problem: t`'${typed}' is not a number` };
  const value = Number(typed.replaceAll(",", ""));
  // A larger one would be rounded: another amount would be sent than was typed.
  if (Math.abs(value) > Number.MAX_SAFE_INTEGER) return { problem: t`this number is too large` };
  return checked(schema, value);
};

const readBoolean = (typed: string): Read =>
  typed === "true" || typed === "false"
    ? { value: typed === "true" }
    : { problem: t`takes true or false, got '${typed}'` };

/** Reads `@file` and `-`; `@@` is a literal `@`. */
const textOf = async (typed: string, reading: ReadContext): Promise<string> => {
  if (typed === "-") return trimLineBreak(await reading.readText("-"));
  if (typed.startsWith("@@")) return typed.slice(1);
  return typed.startsWith("@") ? trimLineBreak(await reading.readText(typed.slice(1))) : typed;
};

/** An answer as it would be typed on a line, where a leading `@` would name a file. */
export const formatTyped = ({ schema }: Option, answer: string): string => {
  const kind = factsOf(itemOf(schema) ?? schema).kind;
  return answer.startsWith("@") && (kind === undefined || kind === "json") ? `@${answer}` : answer;
};

const readJson = async (
  schema: v.GenericSchema,
  typed: string,
  reading: ReadContext,
): Promise<Read> => {
  const text = await textOf(typed, reading);
  const { value, fault } = parseJson(text);
  if (fault) return { problem: t`is not JSON: ${describeJsonFault(text, fault)}` };
  return checked(schema, value);
};

/** Splits only at a comma before another name: a value may hold other commas. */
const splitPairs = (pairs: string): readonly string[] => pairs.split(/,(?=[^,=]+=)/);

const readPairs = (given: readonly string[], names: readonly string[] | undefined): Read => {
  const pairs: (readonly [string, string])[] = [];
  for (const one of given) {
    const at = one.indexOf("=");
    if (at < 1) return { problem: t`takes key=value, got '${one}'` };
    const name = one.slice(0, at);
    if (names && !names.includes(name))
      return { problem: t`takes ${names.join(", ")}, got '${name}'` };
    pairs.push([name, one.slice(at + 1)]);
  }
  // Any word may be a name, `__proto__` too.
  return { value: Object.fromEntries(pairs) };
};

const allowsOperators = (schema: v.GenericSchema): boolean =>
  factsOf(schema).operators !== undefined;

const readOperators = async (
  schema: v.GenericSchema,
  given: readonly string[],
  reading: ReadContext,
): Promise<Read> => {
  const allowed = factsOf(schema).operators ?? [];
  const bare = bareOf(schema) ?? schema;
  const values: Record<string, unknown> = {};
  const isDate = factsOf(schema).kind === "date" && allowed.includes("eq");
  for (const one of isDate ? daysAsRanges(given, reading) : given) {
    const [, word = "eq", typed = one] = /^(eq|ne|like|gte|lte|gt|lt|in):(.*)$/s.exec(one) ?? [];
    const operator = allowed.find((name) => name === word);
    const unknown = typed === one ? unknownOperator(one, allowed) : undefined;
    if (!operator && !given.includes(one))
      return { problem: t`takes an instant; for a whole day give --since and --until` };
    if (!operator)
      return unknown ?? { problem: t`does not allow '${word}:'; allowed: ${allowed.join(", ")}` };
    if (operator in values) return { problem: repeatedOperator(operator, allowed) };
    const parts = operator === "in" ? typed.split(",") : [typed];
    const read = await Promise.all(
      parts.map((part) => readOne(bare, part, reading, dayBound[operator])),
    );
    const wrong = read.find((it) => it.problem);
    if (wrong) return unknown ?? wrong;
    values[operator] = operator === "in" ? read.map((it) => it.value) : read[0]?.value;
  }
  const names = Object.keys(values);
  return { value: names.length === 1 && names[0] === "eq" ? values.eq : values };
};

/** An unreadable value may begin with an operator that does not exist. */
const unknownOperator = (typed: string, allowed: readonly Operator[]): Read | undefined => {
  const word = /^([a-z]+):/i.exec(typed)?.[1];
  if (word === undefined) return undefined;
  return { problem: t`has no operator '${word}:'; allowed: ${allowed.join(", ")}` };
};

/** One of two equal operators would be lost. */
const repeatedOperator = (operator: Operator, allowed: readonly Operator[]): string =>
  allowed.includes("in")
    ? t`is given twice with '${operator}:'; in:a,b takes any of several`
    : t`is given twice with '${operator}:'`;

const checked = (schema: v.GenericSchema, value: unknown): Read => {
  const result = v.safeParse(schema, value, { message: describeIssue });
  if (result.success) return { value: result.output };
  const issue = result.issues[0];
  if (unwrap(schema).type === "picklist")
    return { problem: t`takes ${placeholder(schema)}, got '${String(value)}'` };
  return { problem: [v.getDotPath(issue), issue.message].filter(Boolean).join(": ") };
};
