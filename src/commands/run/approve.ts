import { tool } from "../../cli/command.ts";
import { file } from "../../contract/fields.ts";
import { approvePlan } from "../../send/plan-file/show-plan.ts";

export default tool({
  writes: "local",
  exits: [7],
  args: { plan: file("plan file (.msgplan)") },
  columns: ["plan", "approval", "messages", "cost", "key", "expires"],
  fields: ["digest"],
  examples: [
    "msg run approve july.msgplan",
    "msg run approve july.msgplan --confirm 1200 --json",
    "msg run approve july.msgplan -n",
  ],
  run: async (ctx, { args }) => approvePlan(ctx, args.plan),
});
