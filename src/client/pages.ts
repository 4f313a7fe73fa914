/** Lists page by page: both kinds of paging behind one iterator. */

import {
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
import { type Entry, type LargeList, largeList } from "./answers/large-list.ts";
import type { CallOptions, PagesOptions } from "./client.ts";

export interface ReadOptions extends CallOptions {
  /** Reads the body of a success in place of the reader of JSON; undefined leaves it to that. */
  readonly read?: ((body: Uint8Array) => unknown) | undefined;
}

/** One call of an endpoint that is known as a value only. */
export type CallEndpoint = (
  endpoint: Endpoint,
  input: UntypedRequest,
  options?: ReadOptions,
) => Promise<unknown>;

/**
 * The pages of a list from where `input` starts. A page is asked for when the one before has been
 * taken. Throws MsgError; a list that leads back to a page that was shown ends with exit 10.
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
  do {
    if (at !== undefined) remember(endpoint, seen, at);
    const limit = limitOf(endpoint, page, input, missing);
    const query = {
      ...input.query,
      ...positionOf(page, at),
      ...(limit !== undefined && { limit }),
    };
    const { reply, large } = await answerOf(call, endpoint, { ...input, query }, options);
    const entries = large?.entries() ?? entriesOf(page, reply);
    const size = large ? maxRows : Number.POSITIVE_INFINITY;
    const shown = { reply, at, limit, taken: 0 };
    for (const { rows, after, isLast } of partsOf(entries, size, missing)) {
      shown.taken += rows.length;
      at = isLast ? afterThis(page, shown, after) : within(page, shown, after);
      yield { rows: rows.map(([, row]) => asRow<E>(row)), next: at };
    }
    missing -= shown.taken;
  } while (at !== undefined && missing > 0);
}

/** A page as one value, or, where it is large, as a list whose rows are read when they are wanted. */
const answerOf = async (
  call: CallEndpoint,
  endpoint: Endpoint,
  input: UntypedRequest,
  options: CallOptions,
): Promise<{ readonly reply: unknown; readonly large: LargeList | undefined }> => {
  let large: LargeList | undefined;
  const read = (body: Uint8Array): unknown => {
    large = largeList(endpoint.page ?? { by: "key" }, body);
    return large?.reply;
  };
  const reply = await call(endpoint, input, { ...options, read });
  return { reply, large };
};

interface Part {
  readonly rows: readonly Entry[];
  /** The entry behind them, wanted or not. */
  readonly after: Entry | undefined;
  readonly isLast: boolean;
}

/** The entries that are wanted, `size` at a time; one part at least. */
function* partsOf(entries: Iterable<Entry>, size: number, wanted: number): Generator<Part> {
  let rows: Entry[] = [];
  let taken = 0;
  for (const entry of entries) {
    if (taken === wanted) return yield { rows, after: entry, isLast: true };
    if (rows.length === size) {
      yield { rows, after: entry, isLast: false };
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

const positionOf = (page: Page, at: string | undefined): Readonly<Record<string, unknown>> => {
  if (at === undefined) return {};
  return page.by === "key" ? { startKey: at } : { offset: Number(at) };
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

/** Where a list goes on in the midst of a page. */
const within = (
  { by }: Page,
  { at, taken }: Shown,
  after: Entry | undefined,
): string | undefined => (by === "offset" ? String(Number(at ?? 0) + taken) : after?.[0]);

/** The rows of a page: an array, an object keyed by id, or the bare answer; null is no rows. */
const entriesOf = (page: Page, reply: unknown): readonly Entry[] => {
  const rows = page.items === undefined ? reply : asRecord(reply)[page.items];
  if (Array.isArray(rows)) return rows.map((row) => [undefined, row]);
  return Object.entries(asRecord(rows));
};

interface Shown {
  readonly reply: unknown;
  readonly taken: number;
  readonly at: string | undefined;
  readonly limit: number | undefined;
}

/** Where the list goes on: at the first row that was not taken, else where the service says. */
const afterThis = (
  page: Page,
  { reply, taken, at, limit }: Shown,
  after: Entry | undefined,
): string | undefined => {
  if (page.by === "offset") {
    const isLast = after === undefined && (taken === 0 || taken < (limit ?? maxRows));
    return isLast ? undefined : String(Number(at ?? 0) + taken);
  }
  const { nextKey } = asRecord(reply);
  if (after?.[0] !== undefined) return after[0];
  if (typeof nextKey === "number") return String(nextKey);
  return typeof nextKey === "string" && nextKey !== "" ? nextKey : undefined;
};

const remember = (endpoint: Endpoint, seen: Set<string>, at: string): void => {
  if (seen.has(at))
    throw new MsgError("refused", t`the service's list leads back to a page that was shown`, {
      code: "PagingLoop",
      where: `${endpoint.method} ${endpoint.path}`,
      outcome: "refused",
      todo: t`the rows so far are complete up to here; narrow the list with --since and --until`,
    });
  seen.add(at);
};
