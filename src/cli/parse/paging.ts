/** Lists: `--limit`, `--all` and where to start, and the pages that they ask for. */
import type { Client } from "../../client/client.ts";
import { wholeNumber } from "../../contract/bounded.ts";
import type { Endpoint, Fields, PageOf, UntypedRequest } from "../../contract/endpoint.ts";
import { defaultRows } from "../../contract/endpoint.ts";
import { flag, id } from "../../contract/fields.ts";

/** The flags of every list. */
export const listFlags = (by: "key" | "offset"): Fields => ({
  limit: wholeNumber("how many rows to show; 20 when left out", { from: 1 }),
  all: flag("show every row, asking for the largest pages"),
  ...(by === "key"
    ? { startKey: id("where to go on: the key that the page before named") }
    : { offset: wholeNumber("how many rows to pass over", { from: 0 }) }),
});

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
