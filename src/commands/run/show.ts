import * as v from "valibot";
import { tool } from "../../cli/command.ts";
import { file, number, text } from "../../contract/fields.ts";
import { usageError } from "../../errors.ts";
import {
  differenceColumns,
  isPlanName,
  planFields,
  sampleColumns,
} from "../../send/plan-view/plan-names.ts";
import type { ShowFlags } from "../../send/plan-view/show-plan.ts";
import { nextStep } from "../../send/report/next-step.ts";
import {
  listedDamaged,
  type RunRecord,
  runColumns,
  runFields,
  runRecord,
  withDelivery,
} from "../../send/report/run-record.ts";
import { findRunId, type RunStore, readRun } from "../../send/store/run-folder.ts";
import { storeOf } from "../../send/store/run-store.ts";

export default tool({
  args: { run: text("id of the run, or last; or the file of a plan, that ends in .msgplan") },
  flags: {
    sample: v.pipe(
      number("of a plan: show so many of its messages as phones would, spread over all of it"),
      v.integer("takes a whole number"),
      v.minValue(1),
    ),
    diff: file("of a plan: show what changed since this other one"),
  },
  columns: [
    ...runColumns,
    "profile",
    "path",
    { name: "groups", value: (row: RunRecord) => row.groups.join(" ") },
    "skipped",
    "notSent",
    "scheduledDate",
    "dateRead",
  ],
  fields: [...runFields, ...planFields, ...sampleColumns, ...differenceColumns],
  examples: [
    "msg run show last",
    "msg run show last --json",
    "msg run show last --fields state",
    "msg run show july.msgplan --sample 20",
    "msg run show july.msgplan --diff june.msgplan",
  ],
  run: async (ctx, { args, flags }) => {
    if (isPlanName(args.run)) {
      const { showPlan } = await import("../../send/plan-view/show-plan.ts");
      return showPlan(ctx, args.run, flags);
    }
    assertOfRun(flags);
    const store = storeOf(ctx);
    const { run, row } = shown(store, findRunId(store, args.run, ctx.settings.profile.value));
    const [record = row] = await withDelivery(ctx, [row]);
    const next = nextStep(run, record);
    if (next !== undefined) await ctx.note(next);
    return { record };
  },
});

/** A run has them no more: its rows are in msg run export. */
const assertOfRun = ({ sample, diff }: ShowFlags): void => {
  if (sample === undefined && diff === undefined) return;
  throw usageError(`${sample === undefined ? "--diff" : "--sample"} is about a plan, not a run`, {
    code: "InvalidUsage",
    todo: "name a file that ends in .msgplan",
  });
};

const shown = (store: RunStore, id: string) => {
  try {
    const run = readRun(store, id);
    return { run, row: runRecord(store, run) };
  } catch (error) {
    const found = listedDamaged(store, id, error);
    if (found) return found;
    throw error;
  }
};
