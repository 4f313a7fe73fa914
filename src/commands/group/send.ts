import { command } from "../../cli/command.ts";
import { getPrice } from "../../contract/account.ts";
import { flag, id, money, number } from "../../contract/fields.ts";
import { listGroups, readGroup, sendGroup } from "../../contract/groups.ts";
import { listMessages } from "../../contract/messages.ts";
import { confirmGroupCost } from "../../send/guards/call-spending.ts";
import { groupColumns, sentResult } from "../../send/wait/delivery.ts";

export const again = flag("send even if someone has sent the same rows since");

export const sendFlags = {
  maxCost: money("do not send if the cost is above this amount"),
  maxRecipients: number("do not send if there are more recipients than this"),
  again,
};

export default command({
  endpoint: sendGroup,
  additionalEndpoints: [readGroup, listGroups, listMessages, getPrice],
  args: { groupId: id("the group") },
  flags: sendFlags,
  columns: groupColumns,
  examples: [
    "msg group send <groupId> --sandbox",
    "msg group send <groupId> -y --max-cost 50000",
    "msg group send <groupId> -y && msg group wait <groupId> --within 5m",
    "msg group send <groupId> -n",
  ],
  run: async (ctx, { params }, { flags }, defaultRun) => {
    await confirmGroupCost(ctx, params.groupId, "Send", flags);
    return sentResult(await defaultRun());
  },
});
