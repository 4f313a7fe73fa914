/** Query text to typed values, in every spelling that clients use. */
import type * as v from "valibot";
import type { Fields } from "../../contract/endpoint.ts";
import { bareOf, dayBound, factsOf, itemOf, type Operator, unwrap } from "../../contract/fields.ts";
import { tryJson } from "../../json/read-json.ts";
import { readInstant } from "./dates.ts";
import { decodePercent } from "./route.ts";

type Schema = v.GenericSchema;
/** Texts of one parameter by operator; `bare` is a name without brackets. */
type Given = Map<string, string[]>;

/**
 * Reads the parameters that are declared; others are ignored, empty ones count as left out. A single
 * bare value arrives as itself, anything else as an object by operator; dates arrive as full instants
 * in UTC, the bound of a day resolved. `problems` has a sentence for each error.
 */
export const readQuery = (text: string, fields: Fields) => {
  const problems: string[] = [];
  const empty = new Set<string>();
  const given = collect(text, empty, problems);
  const values: Record<string, unknown> = {};
  for (const [name, schema] of Object.entries(fields)) {
    const texts = given.get(name);
    if (texts !== undefined) values[name] = readField(name, schema, texts, problems);
    else if (factsOf(schema).mayBeEmpty && empty.has(name)) values[name] = "";
    else if ("mandatory" in schema) problems.push(`'${name}' is missing`);
  }
  checkRange(values, problems);
  return { values, problems };
};

const collect = (text: string, empty: Set<string>, problems: string[]): Map<string, Given> => {
  const given = new Map<string, Given>();
  for (const part of text.split("&")) {
    const at = part.indexOf("=");
    const text = part.replaceAll("+", " ");
    const name = decodePercent(at < 0 ? text : text.slice(0, at));
    const value = decodePercent(at < 0 ? "" : text.slice(at + 1));
    if (name === undefined || value === undefined)
      problems.push(`'${part}' is not percent-encoded`);
    if (name && value === "") empty.add(name);
    if (!name || !value) continue;
    const [, field = name, operator = "bare"] = /^([^[\]]+)\[([^[\]]*)\]$/.exec(name) ?? [];
    const operators = given.get(field) ?? new Map<string, string[]>();
    // `qty[]=1` and `qty[0]=1` are a repeated `qty=1`.
    const kind = /^\d*$/.test(operator) ? "bare" : operator;
    operators.set(kind, [...(operators.get(kind) ?? []), value]);
    given.set(field, operators);
  }
  return given;
};

const readField = (name: string, schema: Schema, given: Given, problems: string[]): unknown => {
  const { operators = ["eq"] } = factsOf(schema);
  const found: Partial<Record<Operator, unknown>> = {};
  for (const [kind, texts] of given) {
    const list = listOf(schema, kind, texts);
    const bare = list && operators.includes("in") ? "in" : "eq";
    const operator = operators.find((it) => it === (kind === "bare" ? bare : kind));
    if (operator === undefined) {
      const spelled = kind === "bare" ? name : `${name}[${kind}]`;
      problems.push(`'${spelled}' is not allowed; operators of '${name}': ${operators.join(", ")}`);
    } else if (list) {
      found[operator] = list.map((text) => readOne(name, oneOf(schema), text, operator, problems));
    } else if (new Set(texts).size > 1) {
      problems.push(`'${name}' is given more than once`);
    } else {
      found[operator] = readOne(name, oneOf(schema), texts[0] ?? "", operator, problems);
    }
  }
  return Object.keys(found).join() === "eq" ? found.eq : found;
};

/** Several values, or undefined for a single one: JSON array, repeated name, or commas. */
const listOf = (schema: Schema, kind: string, texts: readonly string[]): string[] | undefined => {
  const many = (factsOf(schema).operators ?? []).includes("in") || unwrap(schema).type === "array";
  if (kind !== "in" && !(kind === "bare" && many)) return undefined;
  const values = texts.flatMap((text) => jsonList(text) ?? text.split(","));
  const one = kind === "bare" && values.length === 1 && unwrap(schema).type !== "array";
  return one && texts[0] === values[0] ? undefined : values;
};

const jsonList = (text: string): string[] | undefined => {
  const parsed = text.startsWith("[") ? tryJson(text) : undefined;
  return Array.isArray(parsed) ? parsed.map((item) => String(item)) : undefined;
};

/** The schema of one value: inside `operators()` or a list. */
const oneOf = (schema: Schema): Schema => bareOf(schema) ?? itemOf(schema) ?? unwrap(schema);

const readOne = (
  name: string,
  schema: Schema,
  text: string,
  operator: Operator,
  problems: string[],
): unknown => {
  const { kind, bound } = factsOf(schema);
  if (kind !== "date" && kind !== "seoulTime") return fromText(schema, text);
  const instant = readInstant(text, dayBound[operator] ?? bound);
  if (instant === undefined) problems.push(`'${name}' must be an ISO 8601 time, not '${text}'`);
  return instant?.toISOString() ?? text;
};

const decimal = /^-?\d+(\.\d+)?$/;

/** A text that does not fit stays a text, so that the schema's own issue names what is wrong. */
const fromText = (schema: Schema, text: string): unknown => {
  if (schema.type === "number" && decimal.test(text)) return Number(text);
  if (schema.type === "boolean" && (text === "true" || text === "false")) return text === "true";
  return text;
};

type Values = Readonly<Record<string, unknown>>;

/** Compared as instants: as texts, the year 10000 comes before all others. */
const checkRange = ({ startDate, endDate }: Values, problems: string[]): void => {
  if (Date.parse(String(endDate)) < Date.parse(String(startDate)))
    problems.push("'endDate' must not be before 'startDate'");
};
