/** Shows the result of a verb. What was done stays done, even if its output fails. */

import type { PageOf } from "../contract/endpoint.ts";
import { quietly } from "../durable/files.ts";
import { isReaderGone, MsgError, toMsgError, truncate } from "../errors.ts";
import { t } from "../locale/locale.ts";
import { readersOf } from "../output/columns.ts";
import { isJson, selectFields, shownMembers } from "../output/fields.ts";
import { renderPages, renderRecord, renderRows } from "../output/render.ts";
import type { Column, Result } from "../output/view.ts";
import type { Verb } from "./command.ts";
import type { Context } from "./context.ts";
import { idsIn, rememberIds } from "./seen-ids.ts";

/**
 * Writes a result in the requested format, and throws its ending. The record of a write is complete
 * before it is shown: if a renderer fails or a reader goes away, neither the exit code nor the
 * record is lost.
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
    if (failure && verb.writes) await reportLostOutput(ctx, isDone ? result : undefined, failure);
  } catch (error) {
    if (!isDone) throw error;
    await reportLostOutput(ctx, result, toMsgError(error));
  }
  const ending = "ending" in result ? result.ending : undefined;
  if (ending) throw ending;
  if (isDone && verb.endpoint && ctx.signal.aborted)
    throw new MsgError("interrupted", t`interrupted, but the request was carried out`, {
      todo: t`nothing is left to do; do not run it again`,
      outcome: "done",
    });
};

/** A reader that leaves a list has read enough; the record of a write was meant to be kept. */
const reportLostOutput = async (
  { io: { err } }: Context,
  done: { readonly record: unknown } | undefined,
  failure: Error,
): Promise<void> => {
  if (done)
    await err.write(
      `${t`the output could not be written (${failure.message}): ${oneLine(done.record)}`}\n`,
    );
  else if (!isReaderGone(failure))
    await err.write(`${t`the output could not be written: ${failure.message}`}\n`);
};

/** Longer than any record of a send. */
const longestRecord = 4_000;

const oneLine = (record: unknown): string =>
  quietly(() => truncate(JSON.stringify(record), longestRecord)) ?? t`the record cannot be shown`;

/** This many rows of a list are remembered. */
const rememberedRows = 500;

/** Writes the result, and remembers the ids that a table shows: on a terminal it may shorten them. */
const show = async (
  ctx: Context,
  verb: Verb,
  columns: readonly Column<never>[],
  result: Result,
): Promise<void> => {
  if ("text" in result) return ctx.io.out.write(result.text);
  const shown = result.columns ? selectFields(ctx.view, result.columns, verb.fields) : columns;
  const isTable = ctx.view.format === "table" && ctx.io.out.isTTY;
  const remembered: unknown[] = [];
  const remember = (rows: readonly unknown[]): void => {
    if (isTable) remembered.push(...rows.slice(0, rememberedRows - remembered.length));
  };
  if ("record" in result) {
    remember([result.record]);
    await renderOne(ctx, verb, shown, result);
  } else await renderList(ctx, verb, shown, result, remember);
  rememberIds(ctx.environment, remembered.flatMap(idsIn));
};

/** The record; with --quiet only the id of what was written, its first column. */
const renderOne = async (
  { io, view }: Context,
  verb: Verb,
  columns: readonly Column<never>[],
  { record, beside }: Extract<Result, { readonly record: unknown }>,
): Promise<void> => {
  if (view.quiet && verb.writes) {
    const brief = { ...view, format: "tsv" as const, header: false };
    return renderRecord(io.out, brief, columns.slice(0, 1), record);
  }
  if (!view.envelope || !isJson(view) || !beside)
    return renderRecord(io.out, view, columns, record);
  const shown = shownMembers(view, readersOf(columns))(record);
  const whole = { ...view, fields: undefined };
  await renderRecord(io.out, whole, columns, { record: shown, ...beside });
};

const renderList = async (
  { io: { out }, view: asked, note }: Context,
  verb: Verb,
  columns: readonly Column<never>[],
  result: Exclude<Result, { text: string } | { record: unknown }>,
  onRows: (rows: readonly unknown[]) => void,
): Promise<void> => {
  const last: { next?: string | undefined } = {};
  const view = result.cells === undefined ? asked : { ...asked, cells: result.cells };
  const flag = verb.endpoint?.page?.by === "offset" ? "--offset" : "--start-key";
  const listeners = { note, onRows };
  const count =
    "rows" in result
      ? await renderRows(out, view, columns, result.rows, listeners)
      : await renderPages(out, view, columns, trackNext(result.pages, last, flag), listeners);
  if (count === 0) await note(t`no results`);
  if (last.next === undefined || out.failure) return;
  await note(t`More results: ${flag} ${last.next} or --all`);
};

/** Tracks where the list continues after the last page that was read, for an error to name. */
async function* trackNext(
  pages: AsyncIterable<PageOf<unknown>>,
  last: { next?: string | undefined },
  flag: string,
): AsyncGenerator<PageOf<unknown>> {
  try {
    for await (const page of pages) {
      last.next = page.next;
      yield page;
    }
  } catch (error) {
    throw error instanceof MsgError && last.next !== undefined
      ? interruptedListError(error, `${flag} ${last.next}`)
      : error;
  }
}

/** Keeps what was written; the rest can be read from there. */
const interruptedListError = (error: MsgError, place: string): MsgError => {
  const { kind, message, outcome, retryable, details } = error;
  const todo = error.todoWith({ again: t`continue after the rows above with ${place}` });
  return error.reworded(kind, message, { outcome, retryable, details, todo });
};
