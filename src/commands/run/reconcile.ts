import * as v from "valibot";
import { counted } from "../../bulk/counted.ts";
import { isWaiting } from "../../bulk/protocol/groups.ts";
import { list, text } from "../../contract/fields.ts";
import { readGroup } from "../../contract/groups.ts";
import { listMessages } from "../../contract/messages.ts";
import { MsgError } from "../../errors.ts";
import { tool } from "../command.ts";
import { summaryColumns } from "../sending/message.ts";
import { ownRun } from "../sending/own-run.ts";
import { settleMsOf } from "../sending/run-flags.ts";
import { storeOf } from "../sending/store.ts";
import { type Finished, resultOf, stateOf, workOn } from "../sending/work.ts";
import { answersOf } from "./answers.ts";
import { listed } from "./columns.ts";
import { type Doubt, doubtsOf, problemOf } from "./doubts.ts";

/** Looks that are close together say the same. */
const usualSettleMs = 10_000;

export default tool({
  also: [listMessages, readGroup],
  args: { run: text("id of the run, or last") },
  flags: {
    accepted: v.optional(
      list(text("a part"), "part that was accepted, as you know: 1, or 1=<groupId>"),
    ),
    notSent: v.optional(list(text("a part"), "part that was not sent, as you know: 1")),
    settle: text("how long to look, 10s when left out"),
  },
  columns: summaryColumns,
  examples: [
    "msg run reconcile last",
    "msg run reconcile last --json",
    "msg run reconcile last --accepted 1 --not-sent 2",
  ],
  run: async (ctx, { args, flags }) => {
    const store = storeOf(ctx);
    const run = await ownRun(ctx, store, args.run);
    const before = stateOf(store, run);
    const waits = before?.groups.some((it) => isWaiting(before, it));
    if (before === undefined || (before.ended && !waits))
      return { record: listed(store, run), columns: summaryColumns };
    const settleMs = settleMsOf(flags.settle, usualSettleMs);
    const how = { settleMs, rate: undefined, again: true, goal: "settle" } as const;
    const looked = await workOn(ctx, store, run, how);
    const doubts = await doubtsOf(ctx, store, run, looked.state);
    const answers = await answersOf(ctx, doubts, flags);
    const finished =
      answers.length === 0
        ? looked
        : await workOn(ctx, store, run, { ...how, settleMs: 0, first: answers });
    const { summary } = finished;
    if (summary.unknown + summary.notSent === 0 && !finished.state.ended)
      await workOn(ctx, store, run, { ...how, first: [{ t: "END" }] });
    // What is not sent is no failure here: nothing was to be sent.
    if (finished.ending.is === "done" && summary.unknown === 0)
      return { record: listed(store, run), columns: summaryColumns };
    const left = doubts.filter(({ chunk }) => finished.state.chunks[chunk]?.at === "doubt");
    const result = resultOf(run, finished);
    return left.length === 0 ? result : { ...result, ending: inDoubt(finished, left) };
  },
});

/** What nobody could settle, with what there is to be seen of it. */
const inDoubt = ({ summary }: Finished, left: readonly Doubt[]): MsgError => {
  const part = left[0]?.part ?? 1;
  return new MsgError("unknown", `${counted(summary.unknown)} may or may not have been sent`, {
    code: "OutcomeUnknown",
    where: `run ${summary.run}`,
    todo: `when you know what became of a part: msg run reconcile ${summary.run} --accepted ${part}, or --not-sent ${part} after ${left[0]?.decidable}`,
    outcome: "unknown",
    details: left.map(problemOf),
  });
};
