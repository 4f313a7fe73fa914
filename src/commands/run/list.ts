import { readAllRuns } from "../../bulk/run-folder.ts";
import { choice } from "../../contract/fields.ts";
import { tool } from "../command.ts";
import { storeOf } from "../sending/store.ts";
import { listed, runColumns, runFields, runStates } from "./columns.ts";

export default tool({
  flags: { state: choice(runStates, "only runs in this state") },
  columns: runColumns,
  fields: runFields,
  examples: ["msg run list", "msg run list --state open", "msg run list --json"],
  run: async (ctx, { flags }) => {
    const store = storeOf(ctx);
    const runs = readAllRuns(store)
      .reverse()
      .map((run) => listed(store, run));
    const { state } = flags;
    return { rows: state === undefined ? runs : runs.filter((it) => it.state === state) };
  },
});
