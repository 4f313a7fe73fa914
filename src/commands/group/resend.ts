import { command } from "../../cli/command.ts";
import { getPrice } from "../../contract/account.ts";
import { id } from "../../contract/fields.ts";
import { listGroups, readGroup, resendGroup } from "../../contract/groups.ts";
import { listMessages } from "../../contract/messages.ts";
import { confirmGroupCost } from "../../send/guards/call-spending.ts";
import { groupColumns, sentResult } from "../../send/wait/delivery.ts";
import { sendFlags } from "./send.ts";

export default command({
  endpoint: resendGroup,
  additionalEndpoints: [readGroup, listGroups, listMessages, getPrice],
  args: { groupId: id("group id; the group must be FAILED") },
  flags: sendFlags,
  columns: groupColumns,
  examples: [
    "msg group resend <groupId> --sandbox",
    "msg group list --criteria status --cond eq --value FAILED",
    "msg group resend <groupId> -y",
  ],
  run: async (ctx, { params }, { flags }, defaultRun) => {
    await confirmGroupCost(ctx, params.groupId, "Send again", flags);
    return sentResult(await defaultRun());
  },
});
