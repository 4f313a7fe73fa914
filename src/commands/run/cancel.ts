import { isWaiting } from "../../bulk/protocol/groups.ts";
import { text } from "../../contract/fields.ts";
import { deleteGroup, readGroup, unscheduleGroup } from "../../contract/groups.ts";
import { tool } from "../command.ts";
import { summaryColumns } from "../sending/message.ts";
import { ownRun } from "../sending/own-run.ts";
import { settleMsOf } from "../sending/run-flags.ts";
import { storeOf } from "../sending/store.ts";
import { resultOf, stateOf, workOn } from "../sending/work.ts";
import { listed } from "./columns.ts";

const usualSettleMs = 60_000;

export default tool({
  also: [unscheduleGroup, deleteGroup, readGroup],
  writes: true,
  args: { run: text("id of the run, or last") },
  flags: { settle: text("how long a doubtful deletion is repeated, 60s when left out") },
  columns: summaryColumns,
  examples: ["msg run cancel last", "msg run cancel last --json"],
  run: async (ctx, { args, flags }) => {
    const store = storeOf(ctx);
    const run = await ownRun(ctx, store, args.run);
    const state = stateOf(store, run);
    const waits = state?.groups.some((it) => isWaiting(state, it));
    if (state?.ended && !waits) return { record: listed(store, run), columns: summaryColumns };
    const settleMs = settleMsOf(flags.settle, usualSettleMs);
    const how = { settleMs, rate: undefined, again: true, goal: "finish" } as const;
    const finished = await workOn(ctx, store, run, { ...how, first: [{ t: "CANCEL" }] });
    return resultOf(run, finished);
  },
});
