/** From what was typed to the input of an endpoint: which member goes into path, query or body. */
import type { Client } from "../../client/client.ts";
import {
  defaultRows,
  type Endpoint,
  type Fields,
  type PageOf,
  pathParams,
  type UntypedRequest,
} from "../../contract/endpoint.ts";
import { factsOf } from "../../contract/fields.ts";
import { asRecord } from "../../json/read-json.ts";
import { normaliseNumber } from "../../message/numbers.ts";

/** Digits as a send would make them; what is no number of this country stays as it was typed. */
export const phoneDigits = (typed: string): string => normaliseNumber(typed).digits ?? typed;

/** Values by name, their types known only to the schemas that read them. */
export interface UntypedInput extends UntypedRequest {
  readonly args?: Readonly<Record<string, unknown>>;
  readonly flags?: Readonly<Record<string, unknown>>;
}

/** Puts each value where the endpoint declares its name. `--input` gives members of the body. */
export const placeInput = (endpoint: Endpoint, given: UntypedInput): UntypedInput => {
  const values = { ...given.args, ...given.flags };
  const pick = (names: readonly string[]) =>
    Object.fromEntries(
      names.flatMap((name) => (values[name] === undefined ? [] : [[name, values[name]]])),
    );
  const params = Object.fromEntries(
    pathParams(endpoint.path).map((name) => [name, String(values[name] ?? "")]),
  );
  return {
    ...(pathParams(endpoint.path).length > 0 && { params }),
    ...(endpoint.query && { query: asKept(endpoint.query, pick(Object.keys(endpoint.query))) }),
    ...(endpoint.body && {
      body: { ...asRecord(given.body), ...pick(Object.keys(endpoint.body.entries)) },
    }),
  };
};

/** Numbers in filters find what was sent to them, however they are written. */
const asKept = (fields: Fields, query: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(
    Object.entries(query).map(([name, value]) => {
      const field = fields[name];
      const isPhone = field !== undefined && factsOf(field).kind === "phone";
      return [name, isPhone && typeof value === "string" ? phoneDigits(value) : value];
    }),
  );

/** The pages that the flags ask for; each is requested only when the one before has been printed. */
export const listPages = (
  client: Client,
  endpoint: Endpoint,
  input: UntypedRequest,
  flags: Readonly<Record<string, unknown>>,
): AsyncIterable<PageOf<unknown>> => {
  const rows = flags.all === true ? Number.POSITIVE_INFINITY : Number(flags.limit ?? defaultRows);
  const start = Object.entries({ startKey: flags.startKey, offset: flags.offset });
  // How many rows to show is not how large a page is: that follows from both.
  const { limit: _shown, ...asked } = input.query ?? {};
  const query = {
    ...asked,
    ...Object.fromEntries(start.filter(([, value]) => value !== undefined)),
  };
  return client.pages(endpoint, untypedInput({ ...input, query }), { rows });
};

/** The input of an endpoint that is known only as a value: its schemas have read every member. */
export const untypedInput = (input: UntypedRequest) => input as never;
