import * as v from "valibot";
import { listRuns, readRun, removeRun } from "../../bulk/run-folder.ts";
import { text } from "../../contract/fields.ts";
import { tool } from "../command.ts";
import { readDuration } from "../line/durations.ts";
import { storeOf } from "../sending/store.ts";
import { stateOf } from "../sending/work.ts";
import { listed, runColumns } from "./columns.ts";

export default tool({
  writes: true,
  flags: { older: v.optional(text("age: 30d when left out, 12h")) },
  columns: runColumns,
  examples: ["msg run purge", "msg run purge --older 7d", "msg run purge --older 7d -n"],
  run: async (ctx, { flags }) => {
    const store = storeOf(ctx);
    const until = ctx.now().getTime() - readDuration(flags.older ?? "30d", "--older");
    const old = listRuns(store)
      .map((id) => readRun(store, id))
      .filter((run) => Date.parse(run.started) < until);
    // A run that is not over is evidence.
    const over = old.filter((run) => stateOf(store, run)?.ended !== false);
    const rows = over.map((run) => listed(store, run));
    if (!ctx.consent.dryRun) for (const run of over) removeRun(store, run.run);
    const kept = old.length - over.length;
    if (kept > 0) await ctx.note(`${kept} kept, which are not over: msg run list --state open`);
    return { rows };
  },
});
