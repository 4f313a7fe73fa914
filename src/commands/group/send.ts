import { command } from "../../cli/command.ts";
import { getPrice } from "../../contract/account.ts";
import { id, money, number } from "../../contract/fields.ts";
import { readGroup, type resendGroup, sendGroup } from "../../contract/groups.ts";
import { confirmGroupCost } from "../../send/guards/call-spending.ts";
import { groupColumns } from "../../send/wait/delivery.ts";

const limits = {
  maxCost: money("do not send if the cost is above this amount"),
  maxRecipients: number("do not send if there are more recipients than this"),
};

/** A command that sends a group, for the first time or again, once its cost is known and agreed to. */
export const groupSending = (
  endpoint: typeof sendGroup | typeof resendGroup,
  doing: "Send" | "Send again",
  group: string,
  examples: readonly string[],
) =>
  command({
    endpoint,
    additionalEndpoints: [readGroup, getPrice],
    args: { groupId: id(group) },
    flags: limits,
    columns: groupColumns,
    examples,
    input: (_ctx, { args }) => ({ params: { groupId: args.groupId }, body: {} }),
    run: async (ctx, { params }, { flags }, defaultRun) => {
      await confirmGroupCost(ctx, params.groupId, { limits: flags, doing });
      return defaultRun();
    },
  });

export default groupSending(sendGroup, "Send", "the group", [
  "msg group send <groupId> --sandbox",
  "msg group send <groupId> -y --max-cost 50000",
  "msg group send <groupId> -y && msg group wait <groupId> --within 5m",
  "msg group send <groupId> -n",
]);
