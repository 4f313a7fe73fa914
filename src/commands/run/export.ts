import * as v from "valibot";
import { tool } from "../../cli/command.ts";
import type { Context } from "../../cli/context.ts";
import { flag, membersOf, text } from "../../contract/fields.ts";
import type { Format } from "../../contract/formats.ts";
import { messageInput } from "../../contract/message-records.ts";
import { listMessages } from "../../contract/messages.ts";
import { usageError } from "../../errors.ts";
import { formatMessageCount } from "../../message/counted.ts";
import { isJson } from "../../output/fields.ts";
import { isLosslessInCsv, isLosslessInTsv } from "../../output/formats/delimited.ts";
import type { Cells, View } from "../../output/view.ts";
import { readSkippedRows } from "../../send/plan/skipped-rows.ts";
import {
  deliveryStatuses,
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

/** Named alone: such rows were never made into messages. */
const skipped = "skipped";

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
    await note(`${[...missing].join(", ")} not shown: -o jsonl has the messages as they are`);
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
        "which rows: accepted, refused, unknown, not-sent, all of them when left out; delivered, failed, pending, as they are now; several by commas; or skipped, with the reason",
      ),
    ),
    forSpreadsheet: flag(
      "with -o csv or tsv: put an apostrophe before a text that a spreadsheet would calculate; without it the texts are as sent, and msg send-many reads them back",
    ),
  },
  columns,
  fields: [...Object.keys(membersOf(messageInput)), "code", "row", "line", "status", "meaning"],
  examples: [
    "msg run export last --status not-sent -o jsonl > rest.jsonl",
    "msg run export last --status refused,unknown,not-sent -o csv",
    "msg run export last -o csv --bom --for-spreadsheet > for-a-person.csv",
    "msg run export last --status failed,pending -o csv",
    "msg run export last --status skipped",
    "msg run export last -o jsonl",
  ],
  run: async (ctx, { args, flags }) => {
    const store = storeOf(ctx);
    if (flags.status?.trim() === skipped) {
      const run = findRun(store, args.run, ctx.settings.profile.value);
      return { rows: readSkippedRows(store, run.run), columns: ["row", "to", "code", "text"] };
    }
    const cells = cellsOf(flags.forSpreadsheet ?? false, ctx.view);
    const wanted = wantedOf(flags.status ?? rowStatuses.join(","));
    // Only the service knows which rows it refused; the others are reported without it.
    const isDelivery = deliveryStatuses.some((it) => wanted.has(it));
    const asks = isDelivery || wanted.has("accepted") || wanted.has("refused");
    const run = asks
      ? await findOwnRun(ctx, store, args.run)
      : findRun(store, args.run, ctx.settings.profile.value);
    await warnOfOpen(ctx, store, run, wanted);
    const added = isDelivery
      ? ["status", "code", "meaning"]
      : wanted.has("refused")
        ? ["code"]
        : [];
    const shown = [...columnsOf(ctx.view), ...added];
    const rows = tellingOf(ctx, rowsByStatus(ctx, store, run, wanted), shown, cells);
    return { rows, columns: shown, cells };
  },
});

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
  throw usageError(`--status takes ${all.join(", ")}, or skipped alone, got '${wrong}'`, {
    code: "InvalidValue",
  });
};
