import { command } from "../../cli/command.ts";
import { getPrice } from "../../contract/account.ts";
import { id, money, number } from "../../contract/fields.ts";
import { readGroup, resendGroup } from "../../contract/groups.ts";
import { confirmGroupCost } from "../../send/guards/call-spending.ts";
import { groupColumns } from "../../send/wait/delivery.ts";

export default command({
  endpoint: resendGroup,
  additionalEndpoints: [readGroup, getPrice],
  args: { groupId: id("group id; the group must be FAILED") },
  flags: {
    maxCost: money("do not send if the cost is above this amount"),
    maxRecipients: number("do not send if there are more recipients than this"),
  },
  columns: groupColumns,
  examples: [
    "msg group resend <groupId> --sandbox",
    "msg group list --criteria status --cond eq --value FAILED",
    "msg group resend <groupId> -y",
  ],
  input: (_ctx, { args }) => ({ params: { groupId: args.groupId }, body: {} }),
  run: async (ctx, { params }, { flags }, defaultRun) => {
    await confirmGroupCost(ctx, params.groupId, { limits: flags, doing: "Send again" });
    return defaultRun();
  },
});
