import { listRuns, readRun } from "../../bulk/run-folder.ts";
import { tool } from "../command.ts";
import { storeOf } from "../sending/store.ts";
import { listed, runColumns } from "./columns.ts";

export default tool({
  columns: runColumns,
  examples: ["msg run list", "msg run list --json", "msg run list -o csv"],
  run: async (ctx) => {
    const store = storeOf(ctx);
    const runs = listRuns(store).reverse();
    return { rows: runs.map((id) => listed(store, readRun(store, id))) };
  },
});
