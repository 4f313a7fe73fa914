/** `--debug`: what goes out and what comes back, by lists of what may be shown. */
import type { Endpoint } from "../../contract/endpoint.ts";
import { factsOf, membersOf } from "../../contract/fields.ts";
import { type Layer, TransportError, type Wire } from "../../contract/wire.ts";
import { isRecord, readJson } from "../../json/read-json.ts";
import { oneLine } from "../codec.ts";

export interface TraceOptions {
  readonly endpoint: Endpoint;
  readonly now: () => Date;
  readonly log: (line: string) => void;
}

/** Writes the call and its result; `retry` and `sign` add what each attempt does. */
export const trace =
  ({ endpoint, now, log }: TraceOptions): Layer =>
  (next) =>
  async (wire, signal) => {
    log(`> ${wire.method} ${targetText(wire.target)}`);
    for (const line of contentLines(">", endpoint, wire)) log(line);
    const start = now().getTime();
    const elapsed = (): string => `${now().getTime() - start} ms`;
    try {
      const answer = await next(wire, signal);
      log(`< ${answer.status} after ${elapsed()}`);
      for (const line of contentLines("<", endpoint, answer)) log(line);
      return answer;
    } catch (error) {
      const why = error instanceof TransportError ? `${error.code} (${error.phase})` : "stopped";
      log(`< no answer: ${why}, after ${elapsed()}`);
      throw error;
    }
  };

const contentLines = (
  prefix: string,
  endpoint: Endpoint,
  { headers, body }: Pick<Wire, "headers" | "body">,
): readonly string[] => [
  ...Object.entries(headers)
    .filter(([name]) => shownHeaders.test(name))
    .map(([name, value]) => `${prefix} ${name}: ${oneLine(value)}`),
  ...(body?.length ? [`${prefix} ${bodyText(endpoint, body)}`] : []),
];

const shownHeaders = /^(content-type|content-length|date|retry-after|user-agent|server)$/;

/** Members whose values say nothing about a person: states, ids, counts and dates. */
const shownMembers =
  /^(status|statusCode|errorCode|type|country|dateType|limit|offset|startKey|nextKey|_id|\w+Id|date\w*|\w+Date|count|total|registered\w+|sent\w+|strict|allowDuplicates)$/;
const phones = /^(to|from|phoneNumber)$/;

const targetText = (target: string): string => {
  const [path = "", query] = target.split("?");
  if (query === undefined) return path;
  const pairs = [...new URLSearchParams(query)].map(([name, value]) => {
    const isShown = shownMembers.test(name.replace(/\[\w+\]$/, ""));
    return `${oneLine(name)}=${isShown ? oneLine(value) : lengthText(value)}`;
  });
  return `${path}?${pairs.join("&")}`;
};

const lengthText = (text: string): string => `<${text.length} chars>`;

/** The rest of a longer line says nothing that its first rows do not. */
const maxLineLength = 2_000;

const bodyText = (endpoint: Endpoint, body: Uint8Array): string => {
  if (endpoint.host === "auth" || endpoint.secondFactor) return `<${body.length} bytes, not shown>`;
  const value = readJson(body);
  if (value === undefined) return `<${body.length} bytes>`;
  const text = shape(value, secretsOf(endpoint));
  return text.length > maxLineLength ? `${text.slice(0, maxLineLength)}…` : text;
};

const secretsOf = ({ body }: Endpoint): ReadonlySet<string> =>
  new Set(
    Object.entries(body ? membersOf(body) : {}).flatMap(([name, schema]) =>
      factsOf(schema).kind === "secret" ? name : [],
    ),
  );

/** `{message: {to: 010****0001, text: <5 chars>}}`: names and types, and values only of listed members. */
const shape = (value: unknown, secrets: ReadonlySet<string>, name = ""): string => {
  if (secrets.has(name)) return "<redacted>";
  if (Array.isArray(value)) {
    if (value.length === 0) return "[0]";
    return `[${value.length}: ${shape(value[0], secrets, name)}${value.length > 1 ? ", …" : ""}]`;
  }
  if (isRecord(value)) {
    const members = Object.entries(value).map(
      ([key, inner]) => `${oneLine(key)}: ${shape(inner, secrets, key)}`,
    );
    return `{${members.join(", ")}}`;
  }
  if (phones.test(name)) return maskedNumber(String(value));
  if (shownMembers.test(name)) return oneLine(JSON.stringify(value));
  if (value === null) return "null";
  return typeof value === "string" ? lengthText(value) : `<${typeof value}>`;
};

/** `010****1234` */
const maskedNumber = (number: string): string =>
  number.length < 8 ? "****" : `${oneLine(number.slice(0, 3))}****${oneLine(number.slice(-4))}`;
