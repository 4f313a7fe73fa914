import { command } from "../../cli/command.ts";
import { id } from "../../contract/fields.ts";
import { listMessages } from "../../contract/messages.ts";
import { messageColumns, readMessage } from "../../send/wait/delivery.ts";

export default command({
  endpoint: listMessages,
  args: { messageId: id("the message") },
  hiddenMembers: Object.keys(listMessages.query),
  columns: messageColumns,
  examples: [
    "msg message get M4V20260115101500AB12CD34EF56GH7 --sandbox",
    "msg message get <messageId> --json --fields statusCode,reason",
  ],
  run: async (ctx, _input, { args }) => ({
    record: await readMessage(await ctx.session.client(), args.messageId),
  }),
});
