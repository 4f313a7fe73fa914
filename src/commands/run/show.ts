import { findRun } from "../../bulk/run-folder.ts";
import { text } from "../../contract/fields.ts";
import { tool } from "../command.ts";
import { storeOf } from "../sending/store.ts";
import { listed, runColumns } from "./columns.ts";

export default tool({
  args: { run: text("id of the run, or last") },
  columns: [...runColumns, "path", "groups", "skipped", "notSent", "scheduledDate"],
  examples: ["msg run show last", "msg run show last --json", "msg run show last --fields state"],
  run: async (ctx, { args }) => {
    const store = storeOf(ctx);
    return { record: listed(store, findRun(store, args.run, ctx.settings.profile.value)) };
  },
});
