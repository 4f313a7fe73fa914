/** Lists: `--limit`, `--all` and where to start, and the pages that they ask for. */
import * as v from "valibot";
import type { Client, PageOf } from "../../client/client.ts";
import type { Endpoint, Fields, LooseInput } from "../../contract/endpoint.ts";
import { usualRows } from "../../contract/endpoint.ts";
import { flag, id } from "../../contract/fields.ts";

/** The flags of every list. */
export const listFlags = (by: "key" | "offset"): Fields => ({
  limit: count("how many rows to show; 20 when left out", 1),
  all: flag("show every row, asking for the largest pages"),
  ...(by === "key"
    ? { startKey: id("where to go on: the key that the page before named") }
    : { offset: count("how many rows to pass over", 0) }),
});

const count = (words: string, least: number) =>
  v.pipe(v.number(), v.integer("must be a whole number"), v.minValue(least), v.description(words));

/** The pages that the flags ask for; each is requested only when the one before has been printed. */
export const listPages = (
  client: Client,
  endpoint: Endpoint,
  input: LooseInput,
  flags: Readonly<Record<string, unknown>>,
): AsyncIterable<PageOf<unknown>> => {
  const rows = flags.all === true ? Number.POSITIVE_INFINITY : Number(flags.limit ?? usualRows);
  const start = Object.entries({ startKey: flags.startKey, offset: flags.offset });
  const query = {
    ...input.query,
    ...Object.fromEntries(start.filter(([, value]) => value !== undefined)),
  };
  return client.pages(endpoint, looseInput({ ...input, query }), { rows });
};

/** The input of an endpoint that is known only as a value: its schemas have read every member. */
export const looseInput = (input: LooseInput) => input as never;
