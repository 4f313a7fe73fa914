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
import { asRecord, endOfText, readJson } from "../json/read-json.ts";
import { t } from "../locale/locale.ts";
import type { CallOptions, PagesOptions } from "./client.ts";
import { type Entry, entriesOf } from "./codec.ts";

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
    const position = page.by === "key" ? { startKey: at } : { offset: Number(at) };
    const query = {
      ...input.query,
      ...(at !== undefined && position),
      ...(limit !== undefined && { limit }),
    };
    const answer = await answerOf(call, endpoint, { ...input, query }, options);
    const shown = { nextKey: answer.nextKey, at, limit, taken: 0 };
    for (const part of partsOf(answer.entries, options.rowsAtOnce ?? answer.size, missing)) {
      const [first] = part.rows;
      // A service that passes over `offset` gives the first page for ever.
      if (page.by === "offset" && first && shown.taken === 0)
        remember(endpoint, seen, JSON.stringify(first));
      shown.taken += part.rows.length;
      at = nextAfter(page, shown, part);
      yield { rows: part.rows.map(([, row]) => asRow<E>(row)), next: at };
    }
    missing -= shown.taken;
  } while (at !== undefined && missing > 0);
}

/** The rows of a page, to be read once; where it is large, they are read from its bytes when they are wanted. */
const answerOf = async (
  call: CallEndpoint,
  endpoint: Endpoint,
  input: UntypedRequest,
  options: CallOptions,
) => {
  const { page = { by: "key" } } = endpoint;
  let large: LargeList | undefined;
  const read = (body: Uint8Array): unknown => {
    large = largeList(page, body);
    return large?.reply;
  };
  const reply = await call(endpoint, input, { ...options, read });
  const { nextKey } = asRecord(reply);
  const entries = large?.entries() ?? drain(entriesOf(page, reply));
  return { nextKey, entries, size: large ? maxRows : Number.POSITIVE_INFINITY };
};

/** The entries in order; each is released once it is taken, so that a page shrinks while it is shown. */
function* drain(entries: Entry[]): Generator<Entry> {
  entries.reverse();
  for (let entry = entries.pop(); entry; entry = entries.pop()) yield entry;
}

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

/** Rows that a service puts on a page of its own accord: of a larger one it may answer fewer than were asked for. */
const defaultRows = 20;

/** Where the list continues: at the first row that was not taken, else where the service says. */
const nextAfter = (
  { by }: Page,
  { nextKey, taken, at, limit }: Shown,
  { after, isLast }: Part,
): string | undefined => {
  if (by === "offset") {
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

/** Bytes from which on a page is large. A usual one of 500 rows is a tenth of it. */
const largeBytes = 4 * 1024 * 1024;

export interface LargeList {
  /** The answer, of its list no more than the first row. */
  readonly reply: unknown;
  readonly entries: () => Iterable<Entry>;
}

/**
 * Undefined for a page of usual size, and for one that is not such JSON: it is read as a whole then. All
 * rows are read once before the first is shown, so that a page is readable as a whole or not at all.
 */
export const largeList = (
  { items }: Page,
  body: Uint8Array,
  from = largeBytes,
): LargeList | undefined => {
  if (body.length < from) return undefined;
  const place = placeOf(body, items);
  if (!place) return undefined;
  const [first] = slicesIn(body, place.from);
  const rest = [body.subarray(0, first?.to ?? place.from + 1), body.subarray(place.to - 1)];
  const reply = readJson(Buffer.concat(rest));
  if (reply === undefined) return undefined;
  for (const slice of slicesIn(body, place.from))
    if (!slice || readJson(body.subarray(slice.from, slice.to)) === undefined) return undefined;
  return { reply, entries: () => entriesIn(body, place.from) };
};

function* entriesIn(body: Uint8Array, open: number): Generator<Entry> {
  for (const slice of slicesIn(body, open))
    if (slice && slice.key !== "__proto__")
      yield [slice.key, readJson(body.subarray(slice.from, slice.to))];
}

interface Slice {
  readonly key?: string | undefined;
  readonly from: number;
  readonly to: number;
}

/** The list that is the whole answer, or its one member of that name; undefined where there is none. */
const placeOf = (body: Uint8Array, name: string | undefined): Slice | undefined => {
  const from = afterSpace(body, 0);
  if (name === undefined)
    return body[from] === bracket ? { from, to: endOfValue(body, from) } : undefined;
  if (body[from] !== brace) return undefined;
  const members = [...slicesIn(body, from)];
  const [list, second] = members.filter((it) => it?.key === name);
  if (!list || second || members.includes(undefined)) return undefined;
  return body[list.from] === brace || body[list.from] === bracket ? list : undefined;
};

const quote = 0x22;
const comma = 0x2c;
const colon = 0x3a;
const bracket = 0x5b;
const closingBracket = 0x5d;
const brace = 0x7b;
const closingBrace = 0x7d;

/** The elements of the array, or the members of the object, that opens here; undefined where it breaks. */
function* slicesIn(body: Uint8Array, open: number): Generator<Slice | undefined> {
  const isObject = body[open] === brace;
  const close = isObject ? closingBrace : closingBracket;
  let at = afterSpace(body, open + 1);
  if (body[at] === close) return;
  for (;;) {
    const key = isObject ? keyAt(body, at) : undefined;
    const from = key?.valueFrom ?? at;
    const to = endOfValue(body, from);
    if ((isObject && !key) || to <= from) return yield undefined;
    yield { key: key?.text, from, to };
    at = afterSpace(body, to);
    if (body[at] === close) return;
    if (body[at] !== comma) return yield undefined;
    at = afterSpace(body, at + 1);
  }
}

const keyAt = (body: Uint8Array, at: number) => {
  if (body[at] !== quote) return undefined;
  const end = endOfText(body, at) + 1;
  const text = readJson(body.subarray(at, end));
  const colonAt = afterSpace(body, end);
  if (typeof text !== "string" || body[colonAt] !== colon) return undefined;
  return { text, valueFrom: afterSpace(body, colonAt + 1) };
};

const isSpace = (byte: number | undefined): boolean =>
  byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;

const afterSpace = (body: Uint8Array, start: number): number => {
  let at = start;
  while (isSpace(body[at])) at += 1;
  return at;
};

/** The index after the value that begins here; whether it is one is for the reader of JSON to say. */
const endOfValue = (body: Uint8Array, start: number): number => {
  let depth = 0;
  for (let at = start; at < body.length; at += 1) {
    const byte = body[at];
    if (byte === quote) at = endOfText(body, at);
    else if (byte === brace || byte === bracket) depth += 1;
    else if (byte === closingBrace || byte === closingBracket) {
      if (depth === 0) return at;
      depth -= 1;
      if (depth === 0) return at + 1;
    } else if (depth === 0 && (byte === comma || isSpace(byte))) return at;
  }
  return body.length;
};
