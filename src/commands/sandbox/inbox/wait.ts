import { tool } from "../../../cli/command.ts";
import { phoneDigits } from "../../../cli/parse/input.ts";
import { pollEndKind, pollUntil } from "../../../client/poll.ts";
import { readDuration } from "../../../config/settings.ts";
import { duration, membersOf, phone, required } from "../../../contract/fields.ts";
import { findReceived, searched, showReceived } from "../../../contract/sandbox.ts";
import { MsgError } from "../../../errors.ts";
import { t } from "../../../locale/locale.ts";
import { receivedColumns } from "./show.ts";

export default tool({
  additionalEndpoints: [findReceived],
  profile: "sandbox",
  flags: {
    to: required(phone("phone number")),
    match: searched,
    within: duration("how long to wait; default: 10s"),
  },
  columns: receivedColumns,
  fields: Object.keys(membersOf(showReceived.reply)),
  examples: [
    "msg sandbox inbox wait --to 01000000001",
    'msg sandbox inbox wait --to 01000000001 --match "code [0-9]{6}" --within 30s --json',
  ],
  run: async (ctx, { flags }) => {
    const { match, within = "10s" } = flags;
    const to = phoneDigits(flags.to);
    const withinMs = readDuration(within, "--within");
    const client = await ctx.session.client();
    const { value } = await pollUntil(ctx, withinMs, async () => {
      const { message } = await client.call(findReceived, { query: { to, match } });
      return { value: message, done: message !== null };
    });
    if (value !== null) return { record: value };
    throw new MsgError(pollEndKind(ctx), t`${to} received no such message`, {
      where: t`after ${within}`,
      todo: t`see what arrived: msg sandbox inbox list; let time pass: msg sandbox clock advance 2s`,
      outcome: "done",
    });
  },
});
