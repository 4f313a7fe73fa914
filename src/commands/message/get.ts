import { command } from "../../cli/command.ts";
import { id } from "../../contract/fields.ts";
import { listMessages } from "../../contract/messages.ts";
import {
  messageColumns,
  readMessage,
  readOutcome,
  sayArrivedInPlace,
} from "../../send/wait/delivery.ts";

export default command({
  endpoint: listMessages,
  args: { messageId: id("the message") },
  hiddenMembers: Object.keys(listMessages.query),
  columns: messageColumns,
  examples: [
    "msg message get M4V20260115101500AB12CD34EF56GH7 --sandbox",
    "msg message get <messageId> --json --fields statusCode,reason",
  ],
  run: async (ctx, _input, { args }) => {
    const client = await ctx.session.client();
    const record = await readMessage(client, args.messageId);
    await sayArrivedInPlace(ctx, record, (await readOutcome(client, record)).code);
    return { record };
  },
});
