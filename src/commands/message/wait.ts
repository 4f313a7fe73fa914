import { command } from "../../cli/command.ts";
import { pollEndKind } from "../../client/poll.ts";
import { readDuration } from "../../config/values.ts";
import { duration, id } from "../../contract/fields.ts";
import { listMessages } from "../../contract/messages.ts";
import { MsgError } from "../../errors.ts";
import { isFailure, statusMeaning } from "../../message/status.ts";
import { endingOf, messageColumns, readMessage } from "../../send/wait/messages.ts";
import { pollShown } from "../../send/wait/poll-shown.ts";

export default command({
  endpoint: listMessages,
  args: { messageId: id("the message") },
  flags: { within: duration("how long to wait: 30s, 5m; 60s when left out") },
  hiddenMembers: Object.keys(listMessages.query),
  columns: messageColumns,
  examples: [
    "msg message wait <messageId> --within 60s",
    "msg message wait <messageId> --json --fields statusCode && echo arrived",
  ],
  run: async (ctx, _input, { args, flags }) => {
    const { within = "60s" } = flags;
    const withinMs = readDuration(within, "--within");
    const client = await ctx.session.client();
    const ask = async () => {
      const value = await readMessage(client, args.messageId);
      return { value, done: value.statusCode === "4000" || isFailure(value.statusCode) };
    };
    const { value: record, done } = await pollShown(
      ctx,
      withinMs,
      ask,
      ({ messageId, statusCode }) => `message ${messageId}: ${statusMeaning(statusCode)}`,
    );
    if (done) return { record, ending: endingOf(record) };
    const kind = pollEndKind(ctx);
    const when = kind === "pending" ? ` after ${within}` : "";
    const ending = new MsgError(kind, `the message is ${statusMeaning(record.statusCode)}${when}`, {
      where: `message ${record.messageId}`,
      todo: `wait again: msg message wait ${record.messageId} --within 5m`,
      outcome: "done",
    });
    return { record, ending };
  },
});
