import * as v from "valibot";
import { tool } from "../../cli/command.ts";
import type { Context } from "../../cli/context.ts";
import { readDuration } from "../../config/settings.ts";
import { duration, text } from "../../contract/fields.ts";
import { readGroup } from "../../contract/groups.ts";
import { listMessages } from "../../contract/messages.ts";
import { MsgError } from "../../errors.ts";
import { t } from "../../locale/locale.ts";
import { selectFields } from "../../output/fields.ts";
import { renderRows } from "../../output/render.ts";
import type { Result, View } from "../../output/view.ts";
import { findOwnRun } from "../../send/guards/own-run.ts";
import { groupDeletedError } from "../../send/report/ending.ts";
import { nextStep } from "../../send/report/next-step.ts";
import { runRecord } from "../../send/report/run-record.ts";
import { serviceTime } from "../../send/run/hours.ts";
import type { RunFile } from "../../send/store/run-file.ts";
import { type RunStore, storeOf } from "../../send/store/run-folder.ts";
import { createRunReader } from "../../send/wait/run-reader.ts";
import { lostError, unknownRowsError } from "../../send/wait/wait-run.ts";
import { streamChanges, type Watched, watchOnScreen } from "../../send/wait/watch-run.ts";

const columns = [
  "run",
  "state",
  "total",
  "filled",
  "accepted",
  "refused",
  "skipped",
  "notSent",
  "unknown",
  "delivered",
  "failed",
  "pending",
  "cost",
  "rate",
  "secondsLeft",
] as const;

const fields = [...columns, "failures", "lastFailures"];

export default tool({
  additionalEndpoints: [readGroup, listMessages],
  exits: [3, 11],
  args: { run: text("id of the run, or last") },
  flags: {
    within: v.optional(
      duration("how long to watch, such as 10m; default: until every message has its result"),
    ),
  },
  columns,
  fields,
  examples: [
    "msg run watch last",
    "msg run watch last --within 10m",
    "msg run watch last | jq -c '{delivered,failed,pending}'",
  ],
  run: async (ctx, { args, flags }) => {
    const store = storeOf(ctx);
    const run = await findOwnRun(ctx, args.run);
    const withinMs =
      flags.within === undefined ? undefined : readDuration(flags.within, "--within");
    const watching = { run: run.run, read: createRunReader(ctx, run), withinMs };
    const isScreen = ctx.io.out.isTTY && (ctx.settings.output.value ?? "table") === "table";
    if (isScreen) {
      const watched = await watchOnScreen(ctx, watching);
      const record = watched.last?.snapshot ?? runRecord(store, run);
      return { record, ending: endingOf(store, run, watched, await serviceTime(ctx)) };
    }
    return printChanges(ctx, run, watching);
  },
});

/** One line for each change, as it comes: JSON, unless another format was requested. */
const printChanges = async (
  ctx: Context,
  run: RunFile,
  watching: Parameters<typeof streamChanges>[1],
): Promise<Result> => {
  const chosen = ctx.settings.output.value ?? "json";
  // An array would not be complete before the end.
  const format = chosen === "json" ? "jsonl" : chosen;
  const view: View = { ...ctx.view, format };
  const ended: { watched?: Watched } = {};
  const changes = streamChanges(ctx, watching, (watched) => {
    ended.watched = watched;
  });
  const { note } = ctx;
  await renderRows(ctx.io.out, view, selectFields(view, columns, fields), changes, { note });
  const ending =
    ended.watched && endingOf(storeOf(ctx), run, ended.watched, await serviceTime(ctx));
  if (ending) throw ending;
  return { text: "" };
};

/** Exit 3 if something did not arrive, 8 if something is open, 11 if it is unknown. */
const endingOf = (
  store: RunStore,
  run: RunFile,
  { last, end }: Watched,
  now: Date,
): MsgError | undefined => {
  if (end === "quit") return undefined;
  const where = t`run ${run.run}`;
  const todo = t`watch again: msg run watch ${run.run}`;
  const open = { where, outcome: "done", todo } as const;
  if (end === "interrupted")
    return new MsgError("interrupted", t`stopped watching; the run is not affected`, open);
  if (last === undefined || last.standing === "active")
    return new MsgError("pending", t`the run did not finish in time`, open);
  const { snapshot, standing } = last;
  if (standing === "stuck") {
    const what = t`the run is ${snapshot.state}, and no process is working on it`;
    const next = { where, todo: nextStep(run, runRecord(store, run), now) };
    return snapshot.unknown > 0
      ? new MsgError("unknown", what, next)
      : new MsgError("pending", what, { ...next, outcome: "done" });
  }
  if (snapshot.state === "done" && snapshot.notSent > 0)
    return groupDeletedError(run, runRecord(store, run));
  const lost = snapshot.failed + snapshot.refused;
  return lost === 0 ? unknownRowsError(run, snapshot) : lostError(run.run, lost, snapshot.state);
};
