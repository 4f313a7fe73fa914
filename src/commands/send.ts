import { list, phone, required } from "../contract/fields.ts";
import { listMessages, sendMany, sendMessage } from "../contract/messages.ts";
import { getPrice } from "../contract/pricing.ts";
import { command } from "./command.ts";
import {
  callOptions,
  checkedMessage,
  guardCost,
  messageDefaults,
  messageFlags,
  sendAll,
} from "./sending.ts";

export default command({
  endpoint: sendMessage,
  also: [sendMany, listMessages, getPrice],
  hide: ["message"],
  flags: {
    to: required(list(phone("recipient number"), "recipient number")),
    ...messageFlags,
  },
  requires: (ctx, flags) => [
    ...(ctx.settings.from.value === undefined ? (["from"] as const) : []),
    ...(flags.kakao?.templateId ? [] : (["text"] as const)),
  ],
  columns: ["messageId", "groupId", "to", "from", "type", "country", "statusCode", "statusMessage"],
  examples: [
    'msg send --sandbox --to 01000000001 --from 0200000000 --text "안녕하세요"',
    "msg send --to 01000000001 --to 01000000002 --text @notice.txt",
    'echo "It is ready" | msg send --to 01000000001 --text -',
    "msg send --to 01000000001 --text Hello --max-cost 100 --json",
    "msg send --to 01000000001 --text Hello -n",
  ],
  input: (ctx, { flags }) => {
    const message = { ...messageDefaults(ctx, flags), to: [...flags.to] };
    return { body: { ...callOptions(flags), message: checkedMessage(message, flags.strict) } };
  },
  run: async (ctx, { body }, { flags }, usual) => {
    const { to } = body.message;
    if (Array.isArray(to)) return sendAll(ctx, [body.message], flags);
    await guardCost(ctx, await ctx.client(), [body.message], flags.maxCost);
    return usual();
  },
});
