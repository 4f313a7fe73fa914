import * as v from "valibot";
import { tool } from "../../cli/command.ts";
import type { Context } from "../../cli/context.ts";
import { type Format, flag, membersOf, text } from "../../contract/fields.ts";
import { listGroups, readGroup } from "../../contract/groups.ts";
import { messageInput } from "../../contract/message-records.ts";
import { listMessages } from "../../contract/messages.ts";
import { invalidValue } from "../../errors.ts";
import { t } from "../../locale/locale.ts";
import { formatMessageCount } from "../../message/price.ts";
import { columnsNamed } from "../../output/columns.ts";
import { isJson, selectFields } from "../../output/fields.ts";
import { isLosslessInCsv, isLosslessInTsv } from "../../output/formats/streamed.ts";
import type { Cells, View } from "../../output/view.ts";
import { findOwnRun, noteOtherService, runOwnerOf } from "../../send/guards/own-run.ts";
import {
  type ExportedRow,
  type InputRows,
  joinInput,
  openInput,
  outcomeColumnNames,
} from "../../send/report/input-rows.ts";
import {
  deliveryStatuses,
  type RowOfRun,
  type RowStatus,
  rowStatuses,
  rowsByStatus,
} from "../../send/report/rows-by-status.ts";
import { textMembers } from "../../send/sources/columns.ts";
import { isSingleSend, type RunFile } from "../../send/store/run-file.ts";
import { findRun, storeOf } from "../../send/store/run-folder.ts";
import { readState, summarize } from "../../send/store/summary.ts";

const columns = ["to", "from", "text"] as const;

/** The columns that CSV needs as input again: a message without its country is another one. */
const columnsOf = ({ format }: View): readonly string[] =>
  format === "csv" ? textMembers : columns;

/** Passes rows on; a note comes before the first one, and others after the last: what columns cannot hold of them. */
async function* withNotes(
  { view, note }: Pick<Context, "view" | "note">,
  rows: AsyncIterable<object>,
  shown: readonly string[],
  cells: Cells,
  first: string | undefined,
): AsyncGenerator<object> {
  let next = first;
  const missing = new Set<string>();
  let changed = 0;
  for await (const row of rows) {
    if (next !== undefined) await note(next);
    next = undefined;
    for (const name of Object.keys(row)) if (!shown.includes(name)) missing.add(name);
    if (isChanged(row, view.format, cells)) changed += 1;
    yield row;
  }
  const isWhole = isJson(view) || view.fields !== undefined;
  if (missing.size > 0 && !isWhole)
    await note(t`not shown: ${[...missing].join(", ")}; -o jsonl shows whole rows`);
  if (changed > 0)
    await note(
      t`the texts of ${formatMessageCount(changed)} differ here from what is sent (formulas, line breaks, control characters); -o jsonl shows them unchanged`,
    );
}

/** Whether a file of cells shows a message differently from what is sent. */
const isChanged = (row: object, format: Format, cells: Cells): boolean => {
  if (format !== "csv" && format !== "tsv") return false;
  const isLossless = format === "csv" ? isLosslessInCsv : isLosslessInTsv;
  return Object.values(row).some((value) => typeof value === "string" && !isLossless(value, cells));
};

/** Writes texts as they are sent: a person's spreadsheet wants apostrophes, `send-many` never. */
const cellsOf = (isForSpreadsheet: boolean, { format }: View): Cells => {
  if (!isForSpreadsheet) return "exact";
  if (format === "csv" || format === "tsv") return "spreadsheet";
  throw invalidValue(t`--for-spreadsheet works with CSV and TSV only`, t`add -o csv`);
};

export default tool({
  additionalEndpoints: [listMessages, listGroups, readGroup],
  args: { run: text("id of the run, or last") },
  flags: {
    status: v.optional(
      text(
        "which rows, separated by commas: accepted, refused, unknown, not-sent, skipped; instead of accepted also delivered, failed, pending, as of now; default: all",
      ),
    ),
    asSent: flag("messages as they were or would be sent, instead of the input columns"),
    forSpreadsheet: flag(
      "with -o csv or tsv: put an apostrophe before texts that a spreadsheet would calculate; not for msg send-many",
    ),
  },
  columns,
  fields: "any",
  exits: [11],
  examples: [
    "msg run export last --status failed -o csv > again.csv",
    "msg run export last --status not-sent --as-sent -o jsonl > rest.jsonl",
    "msg run export last -o csv --bom --for-spreadsheet > for-a-person.csv",
    "msg run export last --status skipped",
    "msg run export last -o jsonl",
  ],
  run: async (ctx, { args, flags }) => {
    const store = storeOf(ctx);
    const cells = cellsOf(flags.forSpreadsheet ?? false, ctx.view);
    const wanted = wantedOf(flags.status ?? rowStatuses.join(","));
    // Only the service knows which rows it refused; the others are reported without it.
    const asks = [...deliveryStatuses, "accepted", "refused"] as const;
    const run = asks.some((it) => wanted.has(it))
      ? await findOwnRun(ctx, args.run)
      : findRun(store, args.run, await runOwnerOf(ctx));
    await noteOtherService(ctx, run);
    await noteUnclear(ctx, run, wanted);
    const input = flags.asSent ? undefined : await openInput(ctx, run);
    const first = flags.asSent ? undefined : inputNote(ctx, run, input);
    const names = outcomeColumnNames(input?.columns ?? []);
    const given = input?.columns ?? columnsOf(ctx.view);
    const shown = [...given.filter((it) => !names.includes(it)), ...names];
    const known = input ? [] : Object.keys(membersOf(messageInput));
    selectFields(ctx.view, columnsNamed(...shown), known);
    const found = rowsByStatus(ctx, run, wanted);
    const rows = input ? joinInput(found, input) : found;
    const noted = withNotes(ctx, recordsOf(rows, names), shown, cells, first);
    return { rows: noted, columns: shown, cells };
  },
});

/** The exported record of a row: its source columns or its message, and its outcome. */
async function* recordsOf(
  rows: AsyncIterable<RowOfRun | ExportedRow>,
  names: readonly string[],
): AsyncGenerator<object> {
  for await (const row of rows) {
    // A canary to one's own number is not a row of the list, so the source has nothing on it.
    if ("input" in row && Object.keys(row.input).length === 0) continue;
    const { status, code = null, meaning = null } = row;
    const added = [status, code, meaning].map((value, at) => [names[at], value]);
    yield { ...("input" in row ? row.input : row.message), ...Object.fromEntries(added) };
  }
}

/** How to send the rows again; or why they are messages, not source columns. */
const inputNote = (
  ctx: Context,
  { run, source, call, tagged, input: kept }: RunFile,
  input: InputRows | undefined,
): string | undefined => {
  const flags = kept?.flags ?? [];
  const isOfOneSend = call === "send" || source === "msg send";
  if (input === undefined && !isOfOneSend)
    return tagged
      ? t`run ${run} kept no input; these are its messages as sent`
      : t`run ${run} used --no-tag, so rows cannot be told apart; these are its messages as sent`;
  if (input === undefined || flags.length === 0 || ctx.io.out.isTTY) return undefined;
  return t`to send these rows again, use the flags of the run: ${flags.join(" ")}`;
};

/** Rows that may have been sent, or may still be, must not be sent another way. */
const noteUnclear = async (
  ctx: Context,
  run: RunFile,
  wanted: ReadonlySet<RowStatus>,
): Promise<void> => {
  const { state, notSent, unknown } = summarize(run, readState(storeOf(ctx), run));
  if (wanted.has("unknown") && unknown > 0)
    await ctx.note(
      t`${formatMessageCount(unknown)} may have been sent: sending these rows again may send them twice; check first: msg run reconcile ${run.run}`,
    );
  if (!wanted.has("not-sent")) return;
  const resuming = resumeNote(run, state);
  if (state === "unscheduled")
    await ctx.note(
      t`the schedule of these groups was cancelled outside msg, and they can still be sent; before sending their rows another way: msg run cancel ${run.run}`,
    );
  else if (notSent > 0 && resuming !== undefined) await ctx.note(resuming);
};

/** Why the rows of a run that can be resumed may be sent twice. */
const resumeNote = (run: RunFile, state: string): string | undefined => {
  if (state === "open" || state === "unknown")
    return t`the run is unfinished, and resuming it sends these rows; before sending them another way: msg run cancel ${run.run}`;
  if (state !== "planned") return undefined;
  const how = isSingleSend(run) ? `send --once ${run.once}` : "--resume";
  return t`the run has not begun, and ${how} still sends all of it; before sending these rows another way: msg run cancel ${run.run}`;
};

const wantedOf = (typed: string): ReadonlySet<RowStatus> => {
  const words = typed.split(",").map((word) => word.trim());
  const all = [...rowStatuses, ...deliveryStatuses];
  const known = all.filter((status) => words.includes(status));
  const wrong = words.find((word) => !known.some((status) => status === word));
  if (wrong === undefined) return new Set(known);
  throw invalidValue(t`--status takes ${all.join(", ")}, got '${wrong}'`);
};
