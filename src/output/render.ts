/** Lists and records written in the format of the view; the only door to the formats. */

import type { PageOf } from "../contract/endpoint.ts";
import type { Format } from "../contract/fields.ts";
import { t } from "../locale/locale.ts";
import { readersOf } from "./columns.ts";
import { csv, json, jsonl, type Renderer, tsv } from "./formats/streamed.ts";
import type { Out } from "./out.ts";
import type { Column, View } from "./view.ts";

interface ListOptions {
  /** Reports that a table has grown long, or has no room for a column. */
  readonly note?: (text: string) => Promise<void>;
  /** Receives rows before they are written. */
  readonly onRows?: (rows: readonly unknown[]) => void;
}

/**
 * Rows written at once. A table finds its widths in them, and takes quadratic time. Other formats use few:
 * the live data at garbage collection decides how much memory the process takes.
 */
export const rowsAtOnce = ({ format }: View): number => (format === "table" ? 100 : 10);

const longTable = 5_000;

/**
 * Writes a list and returns the number of rows. A page is written before the next is requested.
 * Ends early when the reader has gone away; errors of `pages` pass through.
 */
export const renderPages = async (
  out: Out,
  view: View,
  columns: readonly Column<never>[],
  pages: AsyncIterable<PageOf<unknown>> | Iterable<PageOf<unknown>>,
  { note, onRows }: ListOptions = {},
): Promise<number> => {
  const renderer = await rendererOf(out, view, columns);
  const write = view.cells === "exact" && !out.isTTY ? out.writeExact : out.write;
  const size = rowsAtOnce(view);
  let count = 0;
  let next: string | undefined;
  for await (const page of pages) {
    onRows?.(page.rows);
    for (let start = 0; start < page.rows.length && !out.failure; start += size) {
      const rows = page.rows.slice(start, start + size);
      await write(renderer.page(rows));
      const isNowLong = count <= longTable && count + rows.length > longTable;
      count += rows.length;
      if (isNowLong && view.format === "table")
        await note?.(t`more than ${longTable} rows: -o tsv or -o jsonl is faster, and never cut`);
    }
    if (out.failure) return count;
    next = page.next;
  }
  await write(renderer.end(next));
  const hidden = renderer.hidden?.() ?? [];
  if (hidden.length > 0) await note?.(t`no room for ${hidden.join(", ")}: --wide shows them`);
  return count;
};

/**
 * The same for rows without pages. Rows of an array are written in batches; an awaited row is
 * written before the next is requested, except that a table waits for a hundred of them to find its
 * widths.
 */
export const renderRows = (
  out: Out,
  view: View,
  columns: readonly Column<never>[],
  rows: AsyncIterable<unknown> | Iterable<unknown>,
  options?: ListOptions,
): Promise<number> => {
  const size = view.format === "table" || Symbol.iterator in rows ? rowsAtOnce(view) : 1;
  return renderPages(out, view, columns, inPages(rows, size), options);
};

async function* inPages(
  rows: AsyncIterable<unknown> | Iterable<unknown>,
  size: number,
): AsyncIterable<PageOf<unknown>> {
  let page: unknown[] = [];
  for await (const row of rows) {
    page.push(row);
    if (page.length < size) continue;
    yield { rows: page, next: undefined };
    page = [];
  }
  yield { rows: page, next: undefined };
}

/** Writes one record: a card in the table format, one line of TSV, CSV and JSONL, a JSON object. */
export const renderRecord = async (
  out: Out,
  view: View,
  columns: readonly Column<never>[],
  record: unknown,
): Promise<void> => {
  await out.write((await rendererOf(out, view, columns)).record(record));
};

const rendererOf = async (
  out: Out,
  view: View,
  columns: readonly Column<never>[],
): Promise<Renderer> => {
  const readers = readersOf(columns);
  const make: Record<Format, () => Renderer | Promise<Renderer>> = {
    // Loaded late: scripts use other formats and never pay for the layout of tables.
    table: async () => {
      const { table } = await import("./formats/table.ts");
      return table(view, readers, { columns: out.columns, colour: out.colour });
    },
    tsv: () => tsv(view, readers),
    csv: () => csv(view, readers, out.isTTY),
    json: () => json(view, readers),
    jsonl: () => jsonl(view, readers),
  };
  return make[view.format]();
};
