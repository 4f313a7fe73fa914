import { command } from "../../cli/command.ts";
import { pollEndKind } from "../../client/poll.ts";
import { readDuration } from "../../config/settings.ts";
import { id } from "../../contract/fields.ts";
import { listMessages } from "../../contract/messages.ts";
import { MsgError } from "../../errors.ts";
import { t } from "../../locale/locale.ts";
import { statusMeaning } from "../../message/status.ts";
import { pollWithProgress, withinFlag } from "../../send/wait/group-delivery.ts";
import {
  messageColumns,
  messageEnding,
  readMessage,
  readOutcome,
  sayArrivedInPlace,
} from "../../send/wait/message-delivery.ts";

export default command({
  endpoint: listMessages,
  args: { messageId: id("the message") },
  flags: { within: withinFlag },
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
      const message = await readMessage(client, args.messageId);
      const { code, isFinal } = await readOutcome(client, message);
      return { value: { message, code }, done: isFinal };
    };
    const { value, done } = await pollWithProgress(
      ctx,
      withinMs,
      ask,
      ({ message: { messageId }, code }) => t`message ${messageId}: ${statusMeaning(code)}`,
    );
    const { message: record, code } = value;
    if (done) {
      await sayArrivedInPlace(ctx, record, code);
      return { record, ending: messageEnding(record, code) };
    }
    const kind = pollEndKind(ctx);
    const meaning = statusMeaning(code);
    const text =
      kind === "pending"
        ? t`the message is still ${meaning} after ${within}`
        : t`the message is ${meaning}`;
    const ending = new MsgError(kind, text, {
      where: t`message ${record.messageId}`,
      todo: t`wait again: msg message wait ${record.messageId} --within 5m`,
      outcome: "done",
    });
    return { record, ending };
  },
});
