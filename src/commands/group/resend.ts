import { command } from "../../cli/command.ts";
import { getPrice } from "../../contract/account.ts";
import { flag, id } from "../../contract/fields.ts";
import { listGroups, readGroup, resendGroup } from "../../contract/groups.ts";
import { listMessages } from "../../contract/messages.ts";
import { confirmGroupCost } from "../../send/guards/call-spending.ts";
import { assertNotSentSince } from "../../send/guards/resend.ts";
import { groupColumns, sentResult } from "../../send/wait/delivery.ts";
import { limits } from "./send.ts";

export default command({
  endpoint: resendGroup,
  additionalEndpoints: [readGroup, listGroups, listMessages, getPrice],
  args: { groupId: id("group id; the group must be FAILED") },
  flags: { ...limits, again: flag("send even if someone has sent the same rows since") },
  columns: groupColumns,
  examples: [
    "msg group resend <groupId> --sandbox",
    "msg group list --criteria status --cond eq --value FAILED",
    "msg group resend <groupId> -y",
  ],
  input: (_ctx, { args }) => ({ params: { groupId: args.groupId }, body: {} }),
  run: async (ctx, { params }, { flags }, defaultRun) => {
    const { again, ...ceilings } = flags;
    await confirmGroupCost(ctx, params.groupId, {
      ...{ limits: ceilings, doing: "Send again" },
      check: again ? undefined : (group) => assertNotSentSince(ctx, group),
    });
    return sentResult(await defaultRun());
  },
});
