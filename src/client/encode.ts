/** Input → bytes: path, query and body of one request, as the declaration of the endpoint says. */

import type { Endpoint, UntypedRequest } from "../contract/endpoint.ts";
import type { Wire } from "../contract/wire.ts";
import { usageError } from "../errors.ts";
import { isRecord } from "../json/read-json.ts";
import { t } from "../locale/locale.ts";
import { version } from "../version.ts";

/** The request without credentials. Throws usage where a path parameter is missing or not an id. */
export const encode = (endpoint: Endpoint, input: UntypedRequest, bytes?: Uint8Array): Wire => {
  const target = pathOf(endpoint, input.params ?? {}) + queryText(input.query ?? {});
  if (bytes === undefined && input.body === undefined)
    return { method: endpoint.method, target, headers: { "user-agent": agent } };
  const body = bytes ?? Buffer.from(JSON.stringify(input.body));
  return {
    method: endpoint.method,
    target,
    headers: {
      "user-agent": agent,
      "content-type": "application/json",
      "content-length": String(body.length),
    },
    body,
  };
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
      ? Object.entries(value).map(([operator, operand]) => pair(`${name}[${operator}]`, operand))
      : [pair(name, value)],
  );
  const text = pairs.filter((it) => it !== undefined).join("&");
  return text === "" ? "" : `?${text}`;
};

/** Lists travel as JSON text: that is how the service reads them. */
const pair = (name: string, value: unknown): string | undefined => {
  if (value === undefined || value === null) return undefined;
  const text = typeof value === "object" ? JSON.stringify(value) : String(value);
  return `${encodeURIComponent(name)}=${encodeURIComponent(text)}`;
};
