import { tool } from "../../cli/command.ts";
import { choice } from "../../contract/fields.ts";
import {
  listReadableRuns,
  runColumns,
  runFields,
  runStates,
  withDelivery,
} from "../../send/report/run-record.ts";
import { storeOf } from "../../send/store/run-store.ts";

export default tool({
  flags: { state: choice(runStates, "only runs in this state") },
  columns: runColumns,
  fields: runFields,
  examples: ["msg run list", "msg run list --state open", "msg run list --json"],
  run: async (ctx, { flags }) => {
    const store = storeOf(ctx);
    const { runs, ending } = listReadableRuns(store);
    const { state } = flags;
    const rows = runs.map(({ row }) => row).filter((it) => (state ?? it.state) === it.state);
    return { rows: await withDelivery(ctx, rows.reverse()), ending };
  },
});
