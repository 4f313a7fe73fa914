/** Input → bytes of a request, as the endpoint declares it; bytes of an answer → reply, or error body. */

import * as v from "valibot";
import { conformTo } from "../contract/conform.ts";
import type { Endpoint, Page, Reply, UntypedRequest } from "../contract/endpoint.ts";
import { bareOf, isOptional, membersOf, unwrap } from "../contract/fields.ts";
import type { Answer, Wire } from "../contract/wire.ts";
import { truncate, usageError } from "../errors.ts";
import { asRecord, asText, isRecord, readJson } from "../json/read-json.ts";
import { t } from "../locale/locale.ts";
import { isErrorCode } from "../message/explain.ts";
import { version } from "../version.ts";

/** The request without credentials. Throws usage if a path parameter is missing or not an id. */
export const encode = (endpoint: Endpoint, input: UntypedRequest, bytes?: Uint8Array): Wire => {
  const target = pathOf(endpoint, input.params ?? {}) + queryText(input.query ?? {});
  const { method } = endpoint;
  // An old list from a cache would say that what was just sent or paid was not.
  const common = { "user-agent": agent, ...(method === "GET" && { "cache-control": "no-cache" }) };
  if (bytes === undefined && input.body === undefined) return { method, target, headers: common };
  const body = bytes ?? Buffer.from(JSON.stringify(input.body));
  const headers = {
    ...common,
    "content-type": "application/json",
    "content-length": String(body.length),
  };
  return { method, target, headers, body };
};

const agent = `msg/${version}`;

const pathOf = (endpoint: Endpoint, params: Readonly<Record<string, string>>): string =>
  endpoint.path.replace(/:([A-Za-z]+)/g, (_, name: string) => {
    const value = params[name];
    // Dots alone would climb out of the path wherever it is normalised.
    if (value === undefined || value === "" || /^\.{1,2}$/.test(value))
      throw usageError(t`'${value ?? ""}' is not a ${name}`, {
        where: `${endpoint.method} ${endpoint.path}`,
        todo: t`give the ${name} as the lists show it`,
      });
    return encodeURIComponent(value);
  });

/** `?a=1&b%5Bgte%5D=2`; members that are left out do not appear. */
export const queryText = (query: Readonly<Record<string, unknown>>): string => {
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    isRecord(value)
      ? Object.entries(value).flatMap(([operator, it]) => pair(`${name}[${operator}]`, it))
      : pair(name, value),
  );
  return pairs.length === 0 ? "" : `?${pairs.join("&")}`;
};

/** None for a value that is absent. Lists travel as JSON text: that is how the service reads them. */
const pair = (name: string, value: unknown): readonly string[] => {
  if (value === undefined || value === null) return [];
  const text = typeof value === "object" ? JSON.stringify(value) : String(value);
  return [`${encodeURIComponent(name)}=${encodeURIComponent(text)}`];
};

/**
 * Reads an answer: the reply, or why there is none (`fault` for a success that cannot be read).
 * Members that are not declared pass, since the service may add some; a success without the members
 * that prove execution, or one that is about something else, does not count as one.
 */
export const decode = (
  endpoint: Endpoint,
  answer: Answer,
  asked: UntypedRequest = {},
): { readonly value: unknown } | { readonly fault: string | undefined } => {
  const { status } = answer;
  // A write may have nothing to answer if none of its members proves it; an empty answer to a read proves nothing.
  if (status === 204 && endpoint.effect !== "safe" && provingMembers(endpoint).length === 0)
    return { value: {} };
  if (status < 200 || status >= 300) return { fault: undefined };
  // RFC 9111, 5.1: only a cache sends Age, and no cache may keep the answer to a signed request.
  const isPublic = endpoint.effect === "safe" && endpoint.needs.credentials === "none";
  const ageSeconds = isPublic ? 0 : Number.parseInt(answer.headers.age ?? "", 10);
  if (ageSeconds > 0)
    return { fault: t`a cache answered in the service's place, with what is ${ageSeconds} s old` };
  const value = status === 204 ? {} : replyOf(endpoint, answer);
  if (value === undefined || !isProven(endpoint, value))
    return { fault: describeUnreadable(answer, value) };
  const other = foreignId(endpoint, value, asked);
  if (other === undefined) return { value };
  return { fault: t`the answer is the one to another request: it is about ${oneLine(other)}` };
};

/**
 * An id in the answer, or in a row of a list, that differs from the id that the request named: something between
 * here and the service may return the answer to another request.
 */
const foreignId = (
  endpoint: Endpoint,
  value: unknown,
  { params, query: { groupId, messageId } = {} }: UntypedRequest,
): string | undefined => {
  // Other members of a query are filters, which may match more than equal rows.
  const asked = Object.entries({ groupId, messageId, ...params }).filter(([, id]) => id);
  if (asked.length === 0) return undefined;
  const { page } = endpoint;
  const rows = page ? entriesOf(page, value).map(([, row]) => row) : [];
  for (const it of [value, ...rows])
    for (const [name, id] of asked) {
      const other = asRecord(it)[name];
      if (typeof other === "string" && other.toLowerCase() !== String(id).toLowerCase())
        return other;
    }
  return undefined;
};

/** A row, and its id if the list is an object keyed by ids. */
export type Entry = readonly [id: string | undefined, row: unknown];

/** The rows of a page: an array, an object keyed by id, or the bare answer; null is no rows. */
export const entriesOf = (page: Page, reply: unknown): Entry[] => {
  const rows = page.items === undefined ? reply : asRecord(reply)[page.items];
  if (Array.isArray(rows)) return rows.map((row) => [undefined, row]);
  return Object.entries(asRecord(rows));
};

/** The type of an endpoint's input ends here: from here on it is read by its declaration. */
export const untyped = (input: unknown) => input as UntypedRequest;

/** The type of an endpoint's reply begins here: the service is trusted to keep its contract. */
export const asReply = <E extends Endpoint>(value: unknown) => value as Reply<E>;

/** A reply of the declared shape, for a command that computes with it: see `conformTo`. */
export const shapedReply = <E extends Endpoint>(endpoint: E, reply: Reply<E>) =>
  asReply<E>(conformTo(endpoint.reply)(reply));

/** JSON as a value; a document as bytes, if the endpoint declares one, alone or next to JSON. */
const replyOf = (endpoint: Endpoint, { headers, body }: Answer): unknown => {
  const schema = unwrap(endpoint.reply);
  if (schema.type === "instance")
    return body.length > 0 && v.is(endpoint.reply, body) ? body : undefined;
  const options: unknown = schema.type === "union" && "options" in schema ? schema.options : [];
  const hasBytes = Array.isArray(options) && options.some((it) => it.type === "instance");
  const isJson = /\bjson\b/i.test(headers["content-type"] ?? "");
  return hasBytes && !isJson && body.length > 0 ? body : readJson(body);
};

/** Checks for every member that proves execution, and each id of the path; not whether its value is right. */
const isProven = (endpoint: Endpoint, value: unknown): boolean => {
  const { page } = endpoint;
  if (value instanceof Uint8Array) return true;
  const whole = unwrap(endpoint.reply);
  const { type } = recordOf(endpoint);
  // Anything else does not count as an empty list: what is missing from a list may be done again.
  if (type === "array") return Array.isArray(value) && value.every(isRecord);
  if (type === "string") return typeof value === "string";
  if (whole.type === "instance" || (type === "object" && !isRecord(value))) return false;
  const given = asRecord(value);
  // An answer holds something unless it may be empty: something on the network may answer `{}`.
  const required = requiredMembers(endpoint);
  const isEmpty = required.length > 0 && required.every((name) => given[name] === undefined);
  if (type === "object" && isEmpty) return false;
  if (page?.items !== undefined && given[page.items] === undefined) return false;
  // Each row of a list is a record: a command that shows or counts it reads its members.
  if (page && !entriesOf(page, value).every(([, row]) => isRecord(row))) return false;
  const isThere = (name: string): boolean => given[name] !== undefined && given[name] !== null;
  return provingMembers(endpoint).every((name) => {
    const [rows = "", member] = name.split(".");
    if (member !== undefined) return everyRowHas(given[rows], member);
    return name === page?.items ? typeof given[name] === "object" && isThere(name) : isThere(name);
  });
};

/** Of a record and a document, the record. */
const recordOf = ({ reply }: Endpoint) => {
  const whole = unwrap(reply);
  return bareOf(whole) ?? whole;
};

const requiredMembers = (endpoint: Endpoint): readonly string[] =>
  Object.entries(membersOf(recordOf(endpoint))).flatMap(([name, it]) =>
    isOptional(it) ? [] : [name],
  );

const provingMembers = (endpoint: Endpoint): readonly string[] => [
  ...requiredMembers(endpoint).filter((name) => endpoint.path.includes(`:${name}`)),
  ...(endpoint.proof ?? []),
];

/** Whether every row has a text or a number in this member. */
const everyRowHas = (rows: unknown, member: string): boolean =>
  Array.isArray(rows) &&
  rows.every((row) => ["string", "number"].includes(typeof asRecord(row)[member]));

const describeUnreadable = ({ status, headers, body }: Answer, value: unknown): string => {
  if (value !== undefined) return t`the service answered ${status} without the members of a result`;
  if (body.length === 0) return t`the service answered ${status} with nothing`;
  const type = oneLine(headers["content-type"] ?? t`content of no type`);
  const packed = headers["content-encoding"];
  if (packed !== undefined && packed !== "identity")
    return t`the service answered ${status} packed as ${oneLine(packed)}, which was not asked for`;
  return t`the service answered ${status} with ${type} that cannot be read: ${oneLine(startOf(body))}`;
};

export interface ErrorBody {
  /** The code of an error object; undefined for any other body. Anything may have written it. */
  readonly errorCode: string | undefined;
  /**
   * The same in lower case, if the service wrote it as far as is known: both members are there, and
   * the code is in its catalogue.
   */
  readonly serviceCode: string | undefined;
  /** One line, at most 200 characters, without controls. */
  readonly text: string;
  /** The body as it came: JSON as a value, else its text. */
  readonly raw: unknown;
}

/** At most this many characters of a foreign text are shown. */
const maxShown = 200;
/** Of a body that is not JSON; a proxy's page may be long, and the rest says nothing more. */
const maxText = 2_000;

/** What the body of a refusal says. Any other body has only a text. */
export const errorBody = (answer: Answer): ErrorBody => {
  const raw = readJson(answer.body);
  const { errorCode, errorMessage } = asRecord(raw);
  if (typeof errorCode === "string" && errorCode !== "")
    return {
      errorCode: oneLine(errorCode),
      serviceCode: serviceCodeOf(errorCode, errorMessage),
      text: oneLine(asText(errorMessage) ?? ""),
      raw,
    };
  const text = startOf(answer.body);
  return { errorCode: undefined, serviceCode: undefined, text: oneLine(text), raw: raw ?? text };
};

const serviceCodeOf = (errorCode: string, errorMessage: unknown): string | undefined => {
  const isWhole = typeof errorMessage === "string" && errorMessage !== "";
  return isWhole && isErrorCode(errorCode) ? errorCode.toLowerCase() : undefined;
};

/** What an answer's Retry-After asks for, by the service's own clock if the answer shows it. */
export const requestedWaitMs = (headers: Answer["headers"], now: Date): number | undefined => {
  const served = Date.parse(headers.date ?? "");
  return retryAfterMs(headers["retry-after"], Number.isNaN(served) ? now : new Date(served));
};

/** Milliseconds that a Retry-After header asks for: seconds, or an HTTP date measured from `now`. */
export const retryAfterMs = (header: string | undefined, now: Date): number | undefined => {
  if (header === undefined) return undefined;
  if (/^\s*\d+\s*$/.test(header)) return Number(header) * 1_000;
  const until = Date.parse(header);
  return Number.isNaN(until) ? undefined : Math.max(0, until - now.getTime());
};

/** Foreign text as part of a sentence: one line, no controls, at most 200 characters. */
export const oneLine = (text: string): string =>
  truncate(truncate(text, maxText).replace(unsafe, " ").replace(/\s+/g, " ").trim(), maxShown);

const startOf = (body: Uint8Array): string =>
  truncate(Buffer.from(body.subarray(0, 4 * maxText)).toString("utf8"), maxText);

/** Controls, format characters, line separators and lone surrogates. */
const unsafe = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;
