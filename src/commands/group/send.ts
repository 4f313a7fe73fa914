import { command } from "../../cli/command.ts";
import type { Context } from "../../cli/context.ts";
import { getPrice } from "../../contract/account.ts";
import { flag, id, money, number } from "../../contract/fields.ts";
import { listGroups, readGroup, type resendGroup, sendGroup } from "../../contract/groups.ts";
import { listMessages } from "../../contract/messages.ts";
import { MsgError, passOver } from "../../errors.ts";
import { confirmGroupCost } from "../../send/guards/call-spending.ts";
import { groupColumns, sentResult } from "../../send/wait/group-delivery.ts";

export const again = flag("send even if someone has sent the same rows since");

const sendFlags = {
  maxCost: money("do not send if the cost is above this amount"),
  maxRecipients: number("do not send if there are more recipients than this"),
  again,
};

/** A command that sends a group; `group` describes the group that it needs. */
export const groupSend = (
  endpoint: typeof sendGroup | typeof resendGroup,
  group: string,
  examples: readonly string[],
) =>
  command({
    endpoint,
    additionalEndpoints: [readGroup, listGroups, listMessages, getPrice],
    args: { groupId: id(group) },
    flags: sendFlags,
    columns: groupColumns,
    examples,
    run: async (ctx, { params }, { flags }, defaultRun) => {
      const verb = endpoint === sendGroup ? "Send" : "Send again";
      await confirmGroupCost(ctx, params.groupId, verb, flags);
      return sentResult(await defaultRun().catch((error) => sentGroup(ctx, params.groupId, error)));
    },
  });

/** A group without an answer to its send was sent if its record says so; a record that is PENDING proves nothing. */
const sentGroup = async (ctx: Context, groupId: string, error: unknown) => {
  if (!(error instanceof MsgError && error.outcome === "unknown")) throw error;
  const client = await ctx.session.client();
  const record = await client.call(readGroup, { params: { groupId } }).catch(passOver);
  if (record?.status === "SENDING" || record?.status === "COMPLETE") return { record };
  throw error;
};

export default groupSend(sendGroup, "the group", [
  "msg group send <groupId> --sandbox",
  "msg group send <groupId> -y --max-cost 50000",
  "msg group send <groupId> -y && msg group wait <groupId> --within 5m",
  "msg group send <groupId> -n",
]);
