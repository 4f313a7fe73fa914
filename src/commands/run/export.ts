import * as v from "valibot";
import { tool } from "../../cli/command.ts";
import type { Context } from "../../cli/context.ts";
import { flag, membersOf, text } from "../../contract/fields.ts";
import type { Format } from "../../contract/formats.ts";
import { messageInput } from "../../contract/message-records.ts";
import { listMessages } from "../../contract/messages.ts";
import { usageError } from "../../errors.ts";
import { formatMessageCount } from "../../message/counted.ts";
import { columnsNamed, isJson, selectFields } from "../../output/fields.ts";
import { isLosslessInCsv, isLosslessInTsv } from "../../output/formats/delimited.ts";
import type { Cells, View } from "../../output/view.ts";
import {
  addedNames,
  type ExportedRow,
  type InputRows,
  openInput,
  withInput,
} from "../../send/report/input-rows.ts";
import {
  deliveryStatuses,
  type RowOfRun,
  type RowStatus,
  rowStatuses,
  rowsByStatus,
} from "../../send/report/rows-by-status.ts";
import { textMembers } from "../../send/sources/columns.ts";
import { findOwnRun } from "../../send/start/own-run.ts";
import { isOfSend, type RunFile } from "../../send/store/run-file.ts";
import { findRun, type RunStore } from "../../send/store/run-folder.ts";
import { readState } from "../../send/store/run-state.ts";
import { storeOf } from "../../send/store/run-store.ts";
import { summarize } from "../../send/store/summary.ts";

const columns = ["to", "from", "text"] as const;

/** What CSV has to hold to be fed back: a message without its country is another one. */
const columnsOf = ({ format }: View): readonly string[] =>
  format === "csv" ? textMembers : columns;

/** Passes rows on, and says behind the last one what columns cannot hold of them. */
async function* tellingOf(
  { view, note }: Pick<Context, "view" | "note">,
  rows: AsyncIterable<object>,
  shown: readonly string[],
  cells: Cells,
): AsyncGenerator<object> {
  const missing = new Set<string>();
  let changed = 0;
  for await (const row of rows) {
    for (const name of Object.keys(row)) if (!shown.includes(name)) missing.add(name);
    if (isChanged(row, view.format, cells)) changed += 1;
    yield row;
  }
  const isWhole = isJson(view) || view.fields !== undefined;
  if (missing.size > 0 && !isWhole)
    await note(`${[...missing].join(", ")} not shown: -o jsonl has all of each row`);
  if (changed > 0)
    await note(
      `the texts of ${formatMessageCount(changed)} are not as they are sent (formulas, line ends, controls): -o jsonl has them`,
    );
}

/** Whether a file of cells says something else of a message than what is sent. */
const isChanged = (row: object, format: Format, cells: Cells): boolean => {
  const isWhole =
    format === "csv" ? isLosslessInCsv : format === "tsv" ? isLosslessInTsv : undefined;
  return (
    isWhole !== undefined &&
    Object.values(row).some((value) => typeof value === "string" && !isWhole(value, cells))
  );
};

/** Texts go out as they are sent: a person's spreadsheet asks for its apostrophes, `send-many` never. */
const cellsOf = (isForSpreadsheet: boolean, { format }: View): Cells => {
  if (!isForSpreadsheet) return "exact";
  if (format === "csv" || format === "tsv") return "spreadsheet";
  throw usageError("--for-spreadsheet works with CSV and TSV only", {
    code: "InvalidValue",
    todo: "add -o csv",
  });
};

export default tool({
  additionalEndpoints: [listMessages],
  args: { run: text("id of the run, or last") },
  flags: {
    status: v.optional(
      text(
        "which rows, several by commas: accepted, refused, unknown, not-sent, skipped, which are all of them; or, in place of accepted, delivered, failed, pending, as they are now",
      ),
    ),
    asSent: flag("messages as they were or would be sent, in place of the columns of the input"),
    forSpreadsheet: flag(
      "with -o csv or tsv: put an apostrophe before a text that a spreadsheet would calculate; without it the texts are as sent, and msg send-many reads them back",
    ),
  },
  columns,
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
      ? await findOwnRun(ctx, store, args.run)
      : findRun(store, args.run, ctx.settings.profile.value);
    await warnOfOpen(ctx, store, run, wanted);
    const input = flags.asSent ? undefined : await openInput(ctx, store, run);
    await noteInput(ctx, run, flags.asSent ? "sent" : input);
    const names = addedNames(input?.columns ?? []);
    const given = input?.columns ?? columnsOf(ctx.view);
    const shown = [...given.filter((it) => !names.includes(it)), ...names];
    selectFields(
      ctx.view,
      columnsNamed(...shown),
      input ? [] : Object.keys(membersOf(messageInput)),
    );
    const found = rowsByStatus(ctx, store, run, wanted);
    const rows = input ? withInput(found, input) : found;
    return { rows: tellingOf(ctx, recordsOf(rows, names), shown, cells), columns: shown, cells };
  },
});

/** What is exported of a row: what the source says of it, or its message; and what became of it. */
async function* recordsOf(
  rows: AsyncIterable<RowOfRun | ExportedRow>,
  names: readonly string[],
): AsyncGenerator<object> {
  for await (const row of rows) {
    const { status, code = null, meaning = null } = row;
    const added = [status, code, meaning].map((value, at) => [names[at], value]);
    yield { ...("input" in row ? row.input : row.message), ...Object.fromEntries(added) };
  }
}

/** How the rows are sent once more; or why they are messages, and not what the source says. */
const noteInput = async (
  ctx: Context,
  { run, source, call, tagged, input: kept }: RunFile,
  input: InputRows | "sent" | undefined,
): Promise<void> => {
  const flags = kept?.flags ?? [];
  const isOfOneSend = call === "send" || source === "msg send";
  if (input === undefined && !isOfOneSend)
    await ctx.note(
      `${tagged ? `run ${run} kept no input` : `run ${run} was made with --no-tag, and cannot tell which row is which`}: these are its messages as they are sent`,
    );
  else if (typeof input === "object" && flags.length > 0 && !ctx.io.out.isTTY)
    await ctx.note(`to be sent again these rows need the flags of the run: ${flags.join(" ")}`);
};

/** Rows that may have been sent, or may be yet, must not be taken for free. */
const warnOfOpen = async (
  ctx: Context,
  store: RunStore,
  run: RunFile,
  wanted: ReadonlySet<RowStatus>,
): Promise<void> => {
  const { state, notSent, unknown } = summarize(run, readState(store, run));
  if (wanted.has("unknown") && unknown > 0)
    await ctx.note(
      `${formatMessageCount(unknown)} may have been sent, and would be sent twice if they were fed back: msg run reconcile ${run.run} looks what became of them`,
    );
  if (!wanted.has("not-sent")) return;
  const how = goingOn(run, state);
  if (state === "unscheduled")
    await ctx.note(
      `groups that somebody else took off their schedule can still be sent: msg run cancel ${run.run} deletes them, before their rows are sent in another way`,
    );
  else if (notSent > 0 && how !== undefined)
    await ctx.note(
      `${how}: msg run cancel ${run.run} ends it, before those rows are sent in another way`,
    );
};

/** Of a run that can be gone on with: why its rows may go out once more. */
const goingOn = (run: RunFile, state: string): string | undefined => {
  if (state === "open" || state === "unknown")
    return "the run is not over, and resuming it sends what was not sent";
  if (state !== "planned") return undefined;
  const who = isOfSend(run) ? `send --once ${run.once}` : "--resume";
  return `the run was not begun, and ${who} still sends all of it`;
};

const wantedOf = (typed: string): ReadonlySet<RowStatus> => {
  const words = typed.split(",").map((word) => word.trim());
  const all = [...rowStatuses, ...deliveryStatuses];
  const known = all.filter((status) => words.includes(status));
  const wrong = words.find((word) => !known.some((status) => status === word));
  if (wrong === undefined) return new Set(known);
  throw usageError(`--status takes ${all.join(", ")}, got '${wrong}'`, {
    code: "InvalidValue",
  });
};
