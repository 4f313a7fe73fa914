import { tool } from "../../cli/command.ts";
import { text } from "../../contract/fields.ts";
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
  args: { run: text("id of the run, or last") },
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
  fields: runFields,
  examples: ["msg run show last", "msg run show last --json", "msg run show last --fields state"],
  run: async (ctx, { args }) => {
    const store = storeOf(ctx);
    const { run, row } = shown(store, findRunId(store, args.run, ctx.settings.profile.value));
    const [record = row] = await withDelivery(ctx, [row]);
    const next = nextStep(run, record);
    if (next !== undefined) await ctx.note(next);
    return { record };
  },
});

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
