import * as v from "valibot";
import { listRuns, readRun, removeRun } from "../../bulk/run-folder.ts";
import { text } from "../../contract/fields.ts";
import { usage } from "../../errors.ts";
import { tool } from "../command.ts";
import { storeOf } from "../sending/store.ts";
import { stateOf } from "../sending/work.ts";
import { listed, runColumns } from "./columns.ts";

const dayMs = 24 * 60 * 60 * 1000;

export default tool({
  writes: true,
  flags: { older: v.optional(text("age in days, 30d when left out")) },
  columns: runColumns,
  examples: ["msg run purge", "msg run purge --older 7d", "msg run purge --older 7d -n"],
  run: async (ctx, { flags }) => {
    const store = storeOf(ctx);
    const until = ctx.now().getTime() - daysOf(flags.older ?? "30d") * dayMs;
    const old = listRuns(store)
      .map((id) => readRun(store, id))
      .filter((run) => Date.parse(run.started) < until)
      // A run that is still in doubt is evidence.
      .filter((run) => stateOf(store, run)?.ended !== false);
    const rows = old.map((run) => listed(store, run));
    if (!ctx.consent.dryRun) for (const run of old) removeRun(store, run.run);
    return { rows };
  },
});

const daysOf = (typed: string): number => {
  const [, days] = /^(\d{1,5})d$/.exec(typed) ?? [];
  if (days !== undefined) return Number(days);
  throw usage(`--older takes days, as 30d, got '${typed}'`, { code: "InvalidValue" });
};
