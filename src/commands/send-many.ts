import * as v from "valibot";
import { file } from "../contract/fields.ts";
import { listMessages, sendMany } from "../contract/messages.ts";
import { getPrice } from "../contract/pricing.ts";
import { tool } from "./command.ts";
import { messageFlags, sendAll, summaryColumns } from "./sending.ts";
import { collectMessages, sourceFlags } from "./source.ts";

export default tool({
  also: [sendMany, listMessages, getPrice],
  writes: true,
  args: { file: v.optional(file("a file, or - for standard input")) },
  flags: { ...sourceFlags, ...messageFlags },
  columns: summaryColumns,
  examples: [
    'msg send-many customers.csv --from 0200000000 --text "#{name}님, 안녕하세요" --sandbox',
    "msg send-many customers.csv --map to=휴대폰 --text @notice.txt -n",
    `echo '[{"to":"01000000001","text":"a"}]' | msg send-many - --from 0200000000 --json`,
    "msg send-many messages.jsonl --max-cost 50000 --on-invalid skip",
  ],
  run: async (ctx, { args, flags }) => {
    const found = await collectMessages(ctx, { words: "send-many", named: args.file }, flags);
    const messages = found.messages.map((it) => it.message);
    const skipped = found.total - new Set(found.messages.map((it) => it.row)).size;
    return sendAll(ctx, messages, flags, skipped);
  },
});
