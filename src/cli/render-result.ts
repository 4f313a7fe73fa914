/** Shows what a verb has brought. What was done stays done, whatever becomes of its output. */

import {
  idsIn,
  isIdMember,
  rememberIds,
  type SeenIdsOptions,
  wholeId,
} from "../config/seen-ids.ts";
import type { PageOf } from "../contract/endpoint.ts";
import { MsgError, toMsgError, truncate } from "../errors.ts";
import { t } from "../locale/locale.ts";
import { selectFields } from "../output/fields.ts";
import { renderPages, renderRecord, renderRows } from "../output/render.ts";
import type { Column, Result } from "../output/view.ts";
import type { Verb } from "./command.ts";
import type { Context } from "./context.ts";

/**
 * Writes a result in the form that was asked for, and throws its ending. The record of a write is
 * known as a whole before it is shown: a renderer that fails, or a reader that has gone away, takes
 * neither the exit code nor the record with it.
 */
export const renderResult = async (
  ctx: Context,
  verb: Verb,
  columns: readonly Column<never>[],
  result: Result,
): Promise<void> => {
  const isDone = verb.writes && "record" in result;
  try {
    await show(ctx, verb, columns, result);
    const { failure } = ctx.io.out;
    if (failure) await tellLost(ctx, isDone ? result : undefined, failure);
  } catch (error) {
    if (!isDone) throw error;
    await tellLost(ctx, result, toMsgError(error));
  }
  const ending = "ending" in result ? result.ending : undefined;
  const stopped = isDone && verb.endpoint && ctx.signal.aborted ? stoppedLate() : undefined;
  if (ending ?? stopped) throw ending ?? stopped;
};

/** A reader that goes away from a list has read enough; a record of what was done was meant to be kept. */
const tellLost = async (
  { io: { err } }: Context,
  done: { readonly record: unknown } | undefined,
  failure: Error,
): Promise<void> => {
  const isReader = "code" in failure && failure.code === "EPIPE";
  if (done)
    await err.write(
      `${t`the output could not be written (${failure.message}): ${oneLine(done.record)}`}\n`,
    );
  else if (!isReader)
    await err.write(`${t`the output could not be written: ${failure.message}`}\n`);
};

/** Longer than any record of a send. */
const longestRecord = 4_000;

const oneLine = (record: unknown): string => {
  try {
    return truncate(JSON.stringify(record), longestRecord);
  } catch {
    return t`the record cannot be shown`;
  }
};

const stoppedLate = (): MsgError =>
  new MsgError("interrupted", t`interrupted, but the request was carried out`, {
    todo: t`nothing is left to do; do not run it again`,
    outcome: "done",
  });

type Recorded = Extract<Result, { readonly record: unknown }>;

const show = async (
  ctx: Context,
  verb: Verb,
  columns: readonly Column<never>[],
  result: Result,
): Promise<void> => {
  if ("text" in result) return ctx.io.out.write(result.text);
  const shown = result.columns ? selectFields(ctx.view, result.columns, verb.fields) : columns;
  const memory = rememberShown(ctx);
  if ("record" in result) {
    memory.note([result.record]);
    await renderWritten(ctx, verb, shown, envelopeOf(ctx, result));
  } else await renderList(ctx, verb, shown, result, memory.note);
  memory.keep();
};

const envelopeOf = ({ view }: Context, { record, beside }: Recorded): unknown => {
  const isAsked = view.envelope && (view.format === "json" || view.format === "jsonl");
  return isAsked && beside ? { record, ...beside } : record;
};

/** The record; with --quiet only the id of what was written, its first column. */
const renderWritten = async (
  ctx: Context,
  verb: Verb,
  columns: readonly Column<never>[],
  record: unknown,
): Promise<void> => {
  const isBrief = ctx.view.quiet && verb.writes;
  const view = isBrief ? { ...ctx.view, format: "tsv" as const, header: false } : ctx.view;
  await renderRecord(ctx.io.out, view, isBrief ? columns.slice(0, 1) : columns, record);
};

const renderList = async (
  ctx: Context,
  verb: Verb,
  columns: readonly Column<never>[],
  result: Exclude<Result, { text: string } | { record: unknown }>,
  onRows: (rows: readonly unknown[]) => void,
): Promise<void> => {
  const last: { next?: string | undefined } = {};
  const view = result.cells === undefined ? ctx.view : { ...ctx.view, cells: result.cells };
  const flag = verb.endpoint?.page?.by === "offset" ? "--offset" : "--start-key";
  const count =
    "rows" in result
      ? await renderRows(ctx.io.out, view, columns, each(result.rows, onRows), ctx.note)
      : await renderPages(
          ctx.io.out,
          view,
          columns,
          noting(result.pages, last, flag, onRows),
          ctx.note,
        );
  if (count === 0) await ctx.note(t`no results`);
  if (last.next === undefined || ctx.io.out.failure) return;
  await ctx.note(t`More results: ${flag} ${last.next} or --all`);
};

/** The same rows; each is shown to `onRows` as it comes. What is at hand stays at hand. */
const each = (
  rows: Iterable<unknown> | AsyncIterable<unknown>,
  onRows: (rows: readonly unknown[]) => void,
): Iterable<unknown> | AsyncIterable<unknown> =>
  Symbol.iterator in rows ? eachAtHand(rows, onRows) : eachInTime(rows, onRows);

function* eachAtHand(rows: Iterable<unknown>, onRows: (rows: readonly unknown[]) => void) {
  for (const row of rows) {
    onRows([row]);
    yield row;
  }
}

async function* eachInTime(
  rows: AsyncIterable<unknown>,
  onRows: (rows: readonly unknown[]) => void,
) {
  for await (const row of rows) {
    onRows([row]);
    yield row;
  }
}

/** Remembers how the list goes on after the last page that was read; an error on the way names it. */
async function* noting(
  pages: AsyncIterable<PageOf<unknown>>,
  last: { next?: string | undefined },
  flag: string,
  onRows: (rows: readonly unknown[]) => void,
): AsyncGenerator<PageOf<unknown>> {
  try {
    for await (const page of pages) {
      last.next = page.next;
      onRows(page.rows);
      yield page;
    }
  } catch (error) {
    throw error instanceof MsgError && last.next !== undefined
      ? cutError(error, `${flag} ${last.next}`)
      : error;
  }
}

/** What was written before stays; the rest is read from there. */
const cutError = (error: MsgError, place: string): MsgError => {
  const { kind, message, code, where, outcome, retryable, http, api, details } = error;
  const todo = error.todoWith({ again: t`continue after the rows above with ${place}` });
  const same = { code, where, outcome, retryable, http, api, details, todo, cause: error };
  return new MsgError(kind, message, same);
};

/** So many rows of a list are remembered. */
const rememberedRows = 500;

/** Collects the ids of rows that a table on a terminal shows; elsewhere ids are whole. */
const rememberShown = (ctx: Context) => {
  const isTable = ctx.view.format === "table" && ctx.io.out.isTTY;
  const rows: unknown[] = [];
  return {
    note: (shown: readonly unknown[]): void => {
      if (isTable) rows.push(...shown.slice(0, rememberedRows - rows.length));
    },
    keep: (): void => rememberIds(optionsOf(ctx), rows.flatMap(idsIn)),
  };
};

/** Words of a command by the name of their place, each shortened id made whole. */
export const withWholeIds = (
  ctx: Context,
  args: Readonly<Record<string, readonly string[]>>,
): Readonly<Record<string, readonly string[]>> =>
  Object.fromEntries(
    Object.entries(args).map(([name, words]) => [
      name,
      isIdMember(name) ? words.map((it) => wholeId(optionsOf(ctx), it)) : words,
    ]),
  );

const optionsOf = ({ environment }: Context): SeenIdsOptions => ({
  folder: environment.stateFolder,
  user: environment.user,
  random: environment.random,
});
