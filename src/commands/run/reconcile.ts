import { findRun } from "../../bulk/run-folder.ts";
import { text } from "../../contract/fields.ts";
import { readGroup } from "../../contract/groups.ts";
import { listMessages } from "../../contract/messages.ts";
import { tool } from "../command.ts";
import { summaryColumns } from "../sending/message.ts";
import { settleMsOf } from "../sending/run-flags.ts";
import { storeOf } from "../sending/store.ts";
import { resultOf, workOn } from "../sending/work.ts";

/** Looks that are close together say the same. */
const usualSettleMs = 10_000;

export default tool({
  also: [listMessages, readGroup],
  args: { run: text("id of the run, or last") },
  flags: { settle: text("how long to look, 10s when left out") },
  columns: summaryColumns,
  examples: ["msg run reconcile last", "msg run reconcile last --json"],
  run: async (ctx, { args, flags }) => {
    const store = storeOf(ctx);
    const run = findRun(store, args.run, ctx.settings.profile.value);
    const settleMs = settleMsOf(flags.settle, usualSettleMs);
    const how = { settleMs, rate: undefined, again: true, goal: "settle" } as const;
    const finished = await workOn(ctx, store, run, how);
    // What is not sent is no failure here: nothing was to be sent.
    const settled = finished.ending.is === "done" && finished.summary.unknown === 0;
    return settled
      ? { record: finished.summary, columns: summaryColumns }
      : resultOf(run, finished);
  },
});
