/** The input of an endpoint from the bytes of a request, strictly by the contract's schemas. */
import { isUtf8 } from "node:buffer";
import * as v from "valibot";
import type { Fields, UntypedRequest } from "../../contract/endpoint.ts";
import { bareOf, isOptional, itemOf, membersOf } from "../../contract/fields.ts";
import { isRecord, maxDepth, readJson } from "../../json/read-json.ts";
import { assumed } from "../assumptions.ts";
import { Refusal, validationError } from "../service.ts";
import { readQuery } from "./query.ts";
import type { Match } from "./route.ts";

/** At most this many problems are listed; a body of 10,000 wrong messages only adds how many more there are. */
const maxProblems = 100;

/** Reads path parameters, query text and body. Throws Refusal 400 with every problem in its text. */
export const validate = (
  { endpoint, params, query }: Match,
  body: Uint8Array | undefined,
  contentType = "",
): UntypedRequest => {
  const { query: fields, body: schema, form } = endpoint;
  const problems: string[] = [];
  const values = fields && readValues(query, fields, problems);
  const content = schema && check(schema, readBody(schema, body, contentType, form), problems);
  if (problems.length > 0) throw validationError(sentenceOf(problems));
  return { params, query: values, body: content };
};

/** An empty body means `{}`: some writes take no member at all. */
const readBody = (
  schema: v.GenericSchema,
  body: Uint8Array | undefined,
  contentType: string,
  form: true | undefined,
): unknown => {
  if (body === undefined || body.length === 0) return {};
  if (form && mediaType(contentType) === "application/x-www-form-urlencoded")
    return parseForm(body);
  if (mediaType(contentType) !== "application/json")
    throw validationError(
      `A body needs 'Content-Type: application/json', not '${contentType}'.`,
      assumed("content-type"),
    );
  const parsed = parseJson(body);
  return Buffer.from(body).includes("null") ? withoutNulls(schema, parsed) : parsed;
};

/** A member that may be left out and is null was left out; an item that is null has no members. */
const withoutNulls = (schema: v.GenericSchema, value: unknown): unknown => {
  const declared = bareOf(schema) ?? schema;
  const item = itemOf(declared);
  if (Array.isArray(value) && item)
    return value.map((it) => withoutNulls(item, it === null && isObject(item) ? {} : it));
  const members = membersOf(declared);
  if (!isRecord(value) || Object.keys(members).length === 0) return value;
  const given = Object.entries(value).flatMap(([name, member]) => {
    const field = Object.hasOwn(members, name) ? members[name] : undefined;
    if (field === undefined) return [[name, member]];
    return member === null && isOptional(field) ? [] : [[name, withoutNulls(field, member)]];
  });
  return Object.fromEntries(given);
};

const isObject = (schema: v.GenericSchema): boolean => Object.keys(membersOf(schema)).length > 0;

/** A parameter that could not be read is reported once, as the reader describes it. */
const readValues = (
  query: string,
  fields: Fields,
  problems: string[],
): Record<string, unknown> | undefined => {
  const read = readQuery(query, fields);
  problems.push(...read.problems);
  if (problems.length > 0) return undefined;
  const optional = Object.entries(fields).map(([name, field]) => [name, v.optional(field)]);
  return check(v.object(Object.fromEntries(optional)), read.values, problems);
};

/** A value as a schema takes it. Throws Refusal 400 with every problem, named from `name` on. */
export const readMember = <S extends v.GenericSchema>(
  name: string,
  schema: S,
  value: unknown,
): v.InferOutput<S> => {
  const given = withoutNulls(schema, value);
  const result = v.safeParse(schema, given, { message: describeExpected });
  if (result.success) return result.output;
  throw validationError(sentenceOf(result.issues.map((issue) => describeIssue(issue, name))));
};

const check = (
  schema: v.GenericSchema,
  value: unknown,
  problems: string[],
): Record<string, unknown> | undefined => {
  const result = v.safeParse(schema, value, { message: describeExpected });
  if (!result.success) problems.push(...result.issues.map((issue) => describeIssue(issue)));
  return isRecord(result.output) ? result.output : undefined;
};

/** The type of a body without its parameters. */
export const mediaType = (contentType = ""): string | undefined =>
  contentType.split(";")[0]?.trim().toLowerCase();

/** Empty values count as omitted, as in a query; repeated names are joined by spaces. */
const parseForm = (body: Uint8Array): unknown => {
  const values = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(Buffer.from(body).toString()))
    if (value !== "") values.set(name, [values.get(name) ?? [], value].flat().join(" "));
  return Object.fromEntries(values);
};

const parseJson = (body: Uint8Array): unknown => {
  const parsed = isUtf8(body) ? readJson(body) : undefined;
  if (parsed === undefined)
    throw validationError(`The body must be JSON in UTF-8 of at most ${maxDepth} levels.`);
  // Object schemas accept an array as an object without members.
  if (Array.isArray(parsed)) throw validationError("The body must be an object.");
  return parsed;
};

/** Names the member and what it must be; never the value, which may be a card number. */
const describeIssue = (issue: v.BaseIssue<unknown>, parent?: string): string => {
  const path = [parent, v.getDotPath(issue)].filter((it) => it != null).join(".");
  const nested = issue.issues?.find((inner) => v.getDotPath(inner));
  if (nested !== undefined) return describeIssue(nested, path || undefined);
  const name = path === "" ? "The body" : `'${path}'`;
  if (issue.received === "undefined") return `${name} is missing`;
  return issue.message.startsWith("must ")
    ? `${name} ${issue.message}`
    : `${name} must be ${issue.message}`;
};

/** The limit, else what was expected, if the contract has no message of its own. */
const describeExpected = (issue: v.BaseIssue<unknown>): string => {
  const { type, expected, message, requirement } = issue;
  const limit = limits[type]?.(String(requirement));
  if (limit !== undefined) return limit;
  if (expected === null) return message;
  if (expected.includes('"')) {
    const choices = expected.replaceAll(/[()"]/g, "").replaceAll(" | ", ", ");
    return expected.includes(" | ") ? `one of ${choices}` : `'${choices}'`;
  }
  return expected
    .replaceAll(/[()]/g, "")
    .split(" | ")
    .map((type) => nouns[type] ?? type)
    .join(" or ");
};

const limits: Readonly<Record<string, (limit: string) => string>> = {
  min_value: (limit) => `at least ${limit}`,
  max_value: (limit) => `at most ${limit}`,
  min_length: (limit) => `must hold at least ${limit}`,
  max_length: (limit) => `must hold at most ${limit}`,
};

const nouns: Readonly<Record<string, string>> = {
  string: "a string",
  number: "a number",
  boolean: "a boolean",
  Object: "an object",
  Array: "an array",
};

const sentenceOf = (problems: readonly string[]): string => {
  const more = problems.length - maxProblems;
  const shown = problems.slice(0, maxProblems).join("; ");
  return more > 0 ? `${shown}; and ${more} more.` : `${shown}.`;
};

/** Bytes of one body: 15 MB. The HTTP door stops reading there. */
export const maxBodyBytes = 15 * 1024 * 1024;

export const bodyTooLarge = (): Refusal => {
  const text = `The body is larger than ${maxBodyBytes} bytes.`;
  return new Refusal(413, "ValidationError", text, assumed("body-limit"));
};

/** Throws Refusal 413. */
export const checkBodySize = (body: Uint8Array | undefined): void => {
  if (body !== undefined && body.length > maxBodyBytes) throw bodyTooLarge();
};
