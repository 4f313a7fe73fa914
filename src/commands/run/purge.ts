import * as v from "valibot";
import { readAllRuns, removeRun } from "../../bulk/run-folder.ts";
import { text } from "../../contract/fields.ts";
import { tool } from "../command.ts";
import { readDuration } from "../line/durations.ts";
import { storeOf } from "../sending/store.ts";
import { listed, runColumns } from "./columns.ts";

/** Any other run is evidence, or still has to be cancelled or gone on with. */
const isOver: ReadonlySet<string> = new Set(["planned", "done", "cancelled"]);

export default tool({
  writes: true,
  flags: { older: v.optional(text("age: 30d when left out, 12h")) },
  columns: runColumns,
  examples: ["msg run purge", "msg run purge --older 7d", "msg run purge --older 7d -n"],
  run: async (ctx, { flags }) => {
    const store = storeOf(ctx);
    const until = ctx.now().getTime() - readDuration(flags.older ?? "30d", "--older");
    const old = readAllRuns(store).filter((run) => Date.parse(run.started) < until);
    const rows = old.map((run) => ({ run, row: listed(store, run) }));
    const over = rows.filter(({ row }) => isOver.has(row.state));
    if (!ctx.consent.dryRun) for (const { run } of over) removeRun(store, run.run);
    if (over.length > 0)
      await ctx.note(
        `${ctx.consent.dryRun ? "these would be" : "these were"} removed: ${over.length}`,
      );
    const keys = over.filter(({ run }) => run.once !== undefined).length;
    if (keys > 0)
      await ctx.note(`${keys} of them of send --once: a key whose run is gone sends anew`);
    const kept = old.length - over.length;
    if (kept > 0)
      await ctx.note(`${kept} kept, which are not over: msg run list shows their state`);
    return { rows: over.map(({ row }) => row) };
  },
});
