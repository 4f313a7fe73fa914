import { id, text } from "../../contract/fields.ts";
import { listMessages } from "../../contract/messages.ts";
import { MsgError } from "../../errors.ts";
import { isFailure, statusMeaning } from "../../message/status.ts";
import { command } from "../command.ts";
import { readDuration } from "../line/durations.ts";
import { askUntil, endedAs } from "../patience.ts";
import { messageColumns, readMessage } from "./reading.ts";

export default command({
  endpoint: listMessages,
  args: { messageId: id("the message") },
  flags: { within: text("how long to wait: 30s, 5m; 60s when left out") },
  hide: Object.keys(listMessages.query),
  columns: messageColumns,
  examples: [
    "msg message wait <messageId> --within 60s",
    "msg message wait <messageId> --json --fields statusCode && echo arrived",
  ],
  run: async (ctx, _input, { args, flags }) => {
    const withinMs = readDuration(flags.within ?? "60s", "--within");
    const client = await ctx.client();
    const { value: record, done } = await askUntil(ctx, withinMs, async () => {
      const value = await readMessage(client, args.messageId);
      return { value, done: value.statusCode === "4000" || isFailure(value.statusCode) };
    });
    if (done) return { record };
    const ending = new MsgError(
      endedAs(ctx),
      `the message is ${statusMeaning(record.statusCode)}`,
      {
        where: `after ${flags.within ?? "60s"}`,
        todo: `wait again: msg message wait ${record.messageId} --within 5m`,
        outcome: "done",
      },
    );
    return { record, ending };
  },
});
