/** Lists page by page: both kinds of paging behind one iterator. */

import {
  defaultRows,
  type Endpoint,
  maxRows,
  type Page,
  type PageOf,
  type Row,
  type UntypedRequest,
} from "../contract/endpoint.ts";
import { MsgError } from "../errors.ts";
import { asRecord } from "../json/read-json.ts";
import { t } from "../locale/locale.ts";
import type { CallOptions, PagesOptions } from "./client.ts";
import { type Entry, entriesOf } from "./codec.ts";

/** One call of an endpoint that is known as a value only. */
export type CallEndpoint = (
  endpoint: Endpoint,
  input: UntypedRequest,
  options?: CallOptions,
) => Promise<unknown>;

/**
 * The pages of a list from where `input` starts. A page is requested when the caller has taken the
 * one before. Throws MsgError; a list that leads back to an earlier page ends with exit 10.
 */
export async function* readPages<E extends Endpoint>(
  call: CallEndpoint,
  endpoint: E,
  input: UntypedRequest,
  options: PagesOptions = {},
): AsyncGenerator<PageOf<Row<E>>> {
  const { page = { by: "key" } } = endpoint;
  const seen = new Set<string>();
  let missing = options.rows ?? Number.POSITIVE_INFINITY;
  let at = startOf(page, input);
  if (at !== undefined) seen.add(at);
  do {
    const limit = limitOf(endpoint, page, input, missing);
    const position = page.by === "key" ? { startKey: at } : { offset: Number(at) };
    const query = {
      ...input.query,
      ...(at !== undefined && position),
      ...(limit !== undefined && { limit }),
    };
    const asked = call(endpoint, { ...input, query }, options);
    const { nextKey, entries } = await asked.then((reply) => pageIn(page, reply));
    const shown = { nextKey, at, limit, taken: 0 };
    const size = options.rowsAtOnce ?? Number.POSITIVE_INFINITY;
    for (const part of partsOf(entries, size, missing)) {
      const [first] = part.rows;
      // A service that ignores `offset` returns the first page forever.
      if (page.by === "offset" && first && shown.taken === 0)
        remember(endpoint, seen, JSON.stringify(first));
      shown.taken += part.rows.length;
      at = nextAfter(page, shown, part);
      yield { rows: part.rows.map(([, row]) => asRow<E>(row)), next: at };
    }
    missing -= shown.taken;
    // After the last page, too: this is where an operator is advised to go on.
    if (at !== undefined) remember(endpoint, seen, at);
  } while (at !== undefined && missing > 0);
}

/** All that is kept of an answer: the answer itself would keep every row in memory. */
const pageIn = (page: Page, reply: unknown) => ({
  nextKey: asRecord(reply).nextKey,
  entries: drain(entriesOf(page, reply)),
});

/** The entries in order; each is released once it is taken, so that a page shrinks while it is shown. */
function* drain(entries: Entry[]): Generator<Entry> {
  entries.reverse();
  for (let entry = entries.pop(); entry; entry = entries.pop()) yield entry;
}

interface Part {
  readonly rows: readonly Entry[];
  /** The entry after them, wanted or not. */
  readonly after: Entry | undefined;
  readonly isLast: boolean;
}

/** The entries that are wanted, `size` at a time; one part at least. */
function* partsOf(entries: Iterable<Entry>, size: number, wanted: number): Generator<Part> {
  let rows: Entry[] = [];
  let taken = 0;
  for (const entry of entries) {
    const isEnough = taken === wanted;
    if (isEnough || rows.length === size) {
      yield { rows, after: entry, isLast: isEnough };
      if (isEnough) return;
      rows = [];
    }
    rows.push(entry);
    taken += 1;
  }
  yield { rows, after: undefined, isLast: true };
}

/** The type of a row begins here, as that of a reply does. */
const asRow = <E extends Endpoint>(row: unknown) => row as Row<E>;

const startOf = (page: Page, { query = {} }: UntypedRequest): string | undefined => {
  const start = page.by === "key" ? query.startKey : query.offset;
  return start === undefined || start === null ? undefined : String(start);
};

/** The size to ask for: what the input says, else the largest; never more than is missing. */
const limitOf = (
  endpoint: Endpoint,
  page: Page,
  { query = {} }: UntypedRequest,
  missing: number,
): number | undefined => {
  if (!endpoint.query || !("limit" in endpoint.query)) return undefined;
  const asked = query.limit === undefined ? (page.max ?? maxRows) : Number(query.limit);
  return Math.min(asked, missing);
};

interface Shown {
  readonly nextKey: unknown;
  readonly taken: number;
  readonly at: string | undefined;
  readonly limit: number | undefined;
}

/** Where the list continues: at the first row that was not taken, else at the place that the service names. */
const nextAfter = (
  { by }: Page,
  { nextKey, taken, at, limit }: Shown,
  { after, isLast }: Part,
): string | undefined => {
  if (by === "offset") {
    // For a larger page than by default the service may answer fewer rows than were asked for.
    const isEnd = limit === undefined || taken < Math.min(limit, defaultRows);
    return isEnd && after === undefined ? undefined : String(Number(at ?? 0) + taken);
  }
  if (!isLast || after?.[0] !== undefined) return after?.[0];
  if (typeof nextKey === "number") return String(nextKey);
  return typeof nextKey === "string" && nextKey !== "" ? nextKey : undefined;
};

const remember = (endpoint: Endpoint, seen: Set<string>, at: string): void => {
  if (seen.has(at))
    throw new MsgError("refused", t`the service's list leads back to a page that was shown`, {
      code: "PagingLoop",
      where: `${endpoint.method} ${endpoint.path}`,
      outcome: "refused",
      todo: t`the rows so far are complete up to here; narrow the list with its filters`,
    });
  seen.add(at);
};
