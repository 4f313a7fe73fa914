import { choice } from "../../contract/fields.ts";
import { tool } from "../command.ts";
import { storeOf } from "../sending/store.ts";
import { runColumns, runFields, runStates } from "./columns.ts";
import { readableRuns } from "./readable.ts";

export default tool({
  flags: { state: choice(runStates, "only runs in this state") },
  columns: runColumns,
  fields: runFields,
  examples: ["msg run list", "msg run list --state open", "msg run list --json"],
  run: async (ctx, { flags }) => {
    const store = storeOf(ctx);
    const { runs, ending } = readableRuns(store);
    const { state } = flags;
    const rows = runs.map(({ row }) => row).filter((it) => (state ?? it.state) === it.state);
    return { rows: rows.reverse(), ending };
  },
});
