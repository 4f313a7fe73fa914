/** Lists page by page: both kinds of paging behind one iterator. */
import {
  type Endpoint,
  type LooseInput,
  mostRows,
  type Page,
  type Row,
} from "../contract/endpoint.ts";
import { MsgError } from "../errors.ts";
import type { CallOptions, PageOf, PagesOptions } from "./client.ts";
import { members } from "./json.ts";

/** One call of an endpoint that is known as a value only. */
export type Call = (
  endpoint: Endpoint,
  input: LooseInput,
  options?: CallOptions,
) => Promise<unknown>;

/**
 * The pages of a list from where `input` starts. A page is asked for when the one before has been
 * taken. Throws MsgError; a list that leads back to a page that was shown ends with exit 10.
 */
export async function* walk<E extends Endpoint>(
  call: Call,
  endpoint: E,
  input: LooseInput,
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
    const reply = await call(endpoint, { ...input, query }, options);
    const entries = entriesOf(page, reply);
    const taken = entries.slice(0, missing);
    missing -= taken.length;
    at = afterThis(page, { reply, entries, taken: taken.length, at, limit });
    yield { rows: taken.map(([, row]) => asRow<E>(row)), next: at };
  } while (at !== undefined && missing > 0);
}

/** The type of a row begins here, as that of a reply does. */
const asRow = <E extends Endpoint>(row: unknown) => row as Row<E>;

const startOf = (page: Page, { query = {} }: LooseInput): string | undefined => {
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
  { query = {} }: LooseInput,
  missing: number,
): number | undefined => {
  if (!endpoint.query || !("limit" in endpoint.query)) return undefined;
  const asked = query.limit === undefined ? (page.most ?? mostRows) : Number(query.limit);
  return Math.min(asked, missing);
};

type Entry = readonly [id: string | undefined, row: unknown];

/** The rows of a page: an array, an object keyed by id, or the bare answer; null is no rows. */
const entriesOf = (page: Page, reply: unknown): readonly Entry[] => {
  const rows = page.items === undefined ? reply : members(reply)[page.items];
  if (Array.isArray(rows)) return rows.map((row) => [undefined, row]);
  return Object.entries(members(rows));
};

interface Shown {
  readonly reply: unknown;
  readonly entries: readonly Entry[];
  readonly taken: number;
  readonly at: string | undefined;
  readonly limit: number | undefined;
}

/** Where the list goes on: at the first row that was not taken, else where the service says. */
const afterThis = (page: Page, { reply, entries, taken, at, limit }: Shown): string | undefined => {
  if (page.by === "offset") {
    const isLast =
      entries.length === 0 || (taken === entries.length && taken < (limit ?? mostRows));
    return isLast ? undefined : String(Number(at ?? 0) + taken);
  }
  const { nextKey } = members(reply);
  const cut = entries[taken]?.[0];
  if (cut !== undefined) return cut;
  if (typeof nextKey === "number") return String(nextKey);
  return typeof nextKey === "string" && nextKey !== "" ? nextKey : undefined;
};

const remember = (endpoint: Endpoint, seen: Set<string>, at: string): void => {
  if (seen.has(at))
    throw new MsgError("refused", "the service's list leads back to a page that was shown", {
      code: "PagingLoop",
      where: `${endpoint.method} ${endpoint.path}`,
      outcome: "refused",
      todo: "the rows so far are complete up to here; narrow the list with --since and --until",
    });
  seen.add(at);
};
