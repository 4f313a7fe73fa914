import { id } from "../../contract/fields.ts";
import { listMessages } from "../../contract/messages.ts";
import { MsgError } from "../../errors.ts";
import { statusMeaning } from "../../message/status.ts";
import { command } from "../command.ts";

/** No source shows a path for one message: it is read through the list (facts/messages 4.1). */
export default command({
  endpoint: listMessages,
  args: { messageId: id("the message") },
  hide: Object.keys(listMessages.query),
  columns: [
    "messageId",
    "groupId",
    "dateCreated",
    "to",
    "from",
    "type",
    "status",
    "statusCode",
    { name: "meaning", value: (row) => statusMeaning(row.statusCode) },
    "networkName",
    "dateReported",
    "subject",
    "text",
  ],
  examples: [
    "msg message get M4V20260115101500AB12CD34EF56GH7 --sandbox",
    "msg message get <messageId> --json --fields statusCode,reason",
  ],
  run: async (ctx, _input, { args }) => {
    const client = await ctx.client();
    const found = await client.call(listMessages, { query: { messageId: args.messageId } });
    const record = Object.values(found.messageList)[0];
    if (record === undefined)
      throw new MsgError("missing", `there is no message '${args.messageId}'`, {
        code: "ResourceNotFound",
        outcome: "refused",
        todo: "messages are kept for 6 months; msg message list shows them",
      });
    return { record };
  },
});
