import { command } from "../../cli/command.ts";
import { id } from "../../contract/fields.ts";
import { listMessages } from "../../contract/messages.ts";
import { passOver } from "../../errors.ts";
import {
  messageColumns,
  readMessage,
  readOutcome,
  sayArrivedInPlace,
} from "../../send/wait/message-delivery.ts";

export default command({
  endpoint: listMessages,
  args: { messageId: id("the message") },
  hiddenMembers: Object.keys(listMessages.query),
  columns: messageColumns,
  examples: [
    "msg message get <messageId> --sandbox",
    "msg message get <messageId> --json --fields statusCode,reason",
  ],
  run: async (ctx, _input, { args }) => {
    const client = await ctx.session.client();
    const record = await readMessage(client, args.messageId);
    // The record is what was asked for, whatever keeps its group from being read.
    const outcome = await readOutcome(client, record).catch(passOver);
    if (outcome) await sayArrivedInPlace(ctx, record, outcome.code);
    return { record };
  },
});
