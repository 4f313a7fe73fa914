/** The input of an endpoint from the bytes of a request, strictly by the contract's schemas. */
import { isUtf8 } from "node:buffer";
import * as v from "valibot";
import type { Endpoint, UntypedRequest } from "../../contract/endpoint.ts";
import { Refusal } from "../service.ts";
import { readQuery } from "./query.ts";

/** Reads path parameters, query text and body. Throws Refusal 400 with every problem in its text. */
export type Validate = (
  params: Readonly<Record<string, string>>,
  query: string,
  body: Uint8Array | undefined,
  contentType?: string | undefined,
) => UntypedRequest;

/** Levels of nested values that a body may have. */
const maxLevels = 64;
/** Problems that are spelled out; a body of 10,000 wrong messages only adds how many more there are. */
const maxProblems = 100;

/** The checks of one endpoint, prepared when it is first called: most never are. */
export const validator = (endpoint: Endpoint): Validate => {
  let prepared: Validate | undefined;
  return (...request) => {
    prepared ??= prepare(endpoint);
    return prepared(...request);
  };
};

const prepare = (endpoint: Endpoint): Validate => {
  const { query: fields, body: schema, page, form } = endpoint;
  const querySchema =
    fields &&
    v.object(
      Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, v.optional(field)])),
    );
  return (params, query, body, contentType = "") => {
    const read = fields && readQuery(query, fields, page);
    const problems = [...(read?.problems ?? [])];
    // A parameter that could not be read is reported once, in the words of the reader.
    const values =
      querySchema && problems.length === 0 ? check(querySchema, read?.values, problems) : undefined;
    const content =
      schema &&
      check(schema, (form && isForm(contentType) ? parseForm : parseJson)(body), problems);
    if (problems.length > 0) throw new Refusal(400, "ValidationError", inWords(problems));
    return { params, query: values, body: content };
  };
};

const check = (
  schema: v.GenericSchema,
  value: unknown,
  problems: string[],
): Record<string, unknown> | undefined => {
  const result = v.safeParse(schema, value);
  if (!result.success) problems.push(...result.issues.map(issueInWords));
  return isRecord(result.output) ? result.output : undefined;
};

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null;

const isForm = (contentType: string): boolean =>
  contentType.toLowerCase().startsWith("application/x-www-form-urlencoded");

/** Empty values count as left out, as in a query; a repeated name is joined by spaces. */
const parseForm = (body: Uint8Array = new Uint8Array()): unknown => {
  const values = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(Buffer.from(body).toString()))
    if (value !== "") values.set(name, [values.get(name) ?? [], value].flat().join(" "));
  return Object.fromEntries(values);
};

/** An empty body means `{}`: some writes take no member at all. */
const parseJson = (body: Uint8Array | undefined): unknown => {
  if (body === undefined || body.length === 0) return {};
  const parsed = tryParse(body);
  if (parsed === undefined) {
    throw new Refusal(400, "ValidationError", "The body must be JSON in UTF-8.");
  }
  rejectDeep(parsed);
  // The schemas of objects take an array as one without members.
  if (Array.isArray(parsed)) {
    throw new Refusal(400, "ValidationError", "The body must be an object.");
  }
  return parsed;
};

/** Throws Refusal 400: to store or compare such a value would exhaust the stack. */
export const rejectDeep = (value: unknown): void => {
  if (!isDeeper(value, maxLevels)) return;
  const text = `The body is nested deeper than ${maxLevels} levels.`;
  throw new Refusal(400, "ValidationError", text);
};

/** What is not UTF-8 is no JSON; a byte order mark before it is passed over. */
const tryParse = (body: Uint8Array): unknown => {
  if (!isUtf8(body)) return undefined;
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  const start = bytes.subarray(0, mark.length).equals(mark) ? mark.length : 0;
  try {
    return JSON.parse(bytes.toString("utf8", start));
  } catch {
    return undefined;
  }
};

const mark = Buffer.from("\ufeff");

const isDeeper = (value: unknown, levels: number): boolean => {
  if (typeof value !== "object" || value === null) return false;
  if (levels === 0) return true;
  if (Array.isArray(value)) return value.some((item) => isDeeper(item, levels - 1));
  // No list of the members is made: there may be a million of them.
  for (const name in value) if (isDeeper(Reflect.get(value, name), levels - 1)) return true;
  return false;
};

/** Names the member and what it must be; never the value, which may be a card number. */
const issueInWords = (issue: v.BaseIssue<unknown>): string => {
  const path = v.getDotPath(issue);
  const nested = issue.issues?.find((inner) => (v.getDotPath(inner) ?? "") !== "");
  if (nested !== undefined && path === null) return issueInWords(nested);
  const name = path === null ? "The body" : `'${path}'`;
  if (issue.received === "undefined") return `${name} is missing`;
  const words = expectedInWords(issue);
  return words.startsWith("must ") ? `${name} ${words}` : `${name} must be ${words}`;
};

/** The contract's own words, else those of a limit, else what was expected. */
const expectedInWords = ({
  type,
  expected,
  message,
  requirement,
}: v.BaseIssue<unknown>): string => {
  if (!message.startsWith("Invalid")) return message;
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
  min_value: (limit) => `${limit} at least`,
  max_value: (limit) => `${limit} at most`,
  min_length: (limit) => `must hold ${limit} at least`,
  max_length: (limit) => `must hold ${limit} at most`,
};

const nouns: Readonly<Record<string, string>> = {
  string: "a string",
  number: "a number",
  boolean: "a boolean",
  Object: "an object",
  Array: "an array",
};

const inWords = (problems: readonly string[]): string => {
  const more = problems.length - maxProblems;
  const shown = problems.slice(0, maxProblems).join("; ");
  return more > 0 ? `${shown}; and ${more} more.` : `${shown}.`;
};
