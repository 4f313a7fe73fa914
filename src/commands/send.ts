import { command } from "../cli/command.ts";
import { date, duration, flag, key, list, phone, required } from "../contract/fields.ts";
import { getTemplate } from "../contract/kakao.ts";
import { sendManyDetail, sendMessage } from "../contract/messages.ts";
import { numberProblem } from "../message/numbers.ts";
import { sendEndpoints } from "../send/guards/endpoints.ts";
import { fillMessage } from "../send/messages/fill-message.ts";
import {
  adFlag,
  callOptions,
  checkMessageFlags,
  messageDefaults,
  messageFlags,
} from "../send/messages/message-flags.ts";
import { withPicture } from "../send/messages/picture.ts";
import { assertVariables, checkTemplate, readTemplateFlag } from "../send/messages/template.ts";
import { assertNotQuiet } from "../send/run/hours.ts";
import { laterColumns, nameSenders, sendLater, sendNow } from "../send/single/send-message.ts";
import { checkKey } from "../send/start/once.ts";
import { withinFlag } from "../send/wait/group-delivery.ts";
import { waitForSent } from "../send/wait/message-delivery.ts";
import { assertWithin } from "../send/wait/wait-run.ts";

export default command({
  endpoint: sendMessage,
  additionalEndpoints: [sendManyDetail, ...sendEndpoints, getTemplate],
  hiddenMembers: ["message"],
  flags: {
    to: required(list(phone("recipient number"), "recipient number")),
    ...messageFlags,
    at: date("when to send, up to 6 months ahead"),
    ad: adFlag,
    wait: flag("wait until the message is delivered or failed"),
    within: withinFlag,
    once: key("your own key: a command with the same key sends only once, however often it runs"),
    onceWithin: duration("how far back to look for the key, 25h to 183d; default: 7d"),
    settle: duration(
      "how long to check a send whose outcome is unknown; 0: not at all; default: 30s",
    ),
    tag: flag("send without a correlation id; msg cannot find the message afterwards", {
      isOnByDefault: true,
    }),
  },
  requires: (ctx, flags) => [
    ...(ctx.settings.from.value === undefined ? (["from"] as const) : []),
    ...(flags.kakao?.templateId || flags.template ? [] : (["text"] as const)),
  ],
  questions: {
    to: { check: numberProblem },
    from: { question: "registered sender number", check: numberProblem },
    text: { question: "text" },
  },
  columns: ["messageId", "groupId", "to", "from", "type", "country", "statusCode", "statusMessage"],
  alternateColumns: { at: laterColumns },
  examples: [
    'msg send --sandbox --to 01000000001 --from 0200000000 --text "안녕하세요"',
    "msg send --to 01000000001 --to 01000000002 --text @notice.txt",
    'echo "It is ready" | msg send --to 01000000001 --text -',
    "msg send --to 01000000001 --text Hello --max-cost 100 --json",
    'msg send --to 01000000001 --text Hello --at "tomorrow 9:00"',
    "msg send --to 01000000001 --text Hello --wait -n",
    "msg send --to 01000000001 --template <templateId> --var name=민지",
  ],
  input: async (ctx, { flags }) => {
    checkKey({ once: flags.once, onceWithin: flags.onceWithin });
    const template = await readTemplateFlag(ctx, flags);
    const pictured = await withPicture(ctx, flags);
    const made = { ...messageDefaults(ctx, pictured, template), to: [...flags.to] };
    const message = template || flags.var ? fillMessage(made, flags.var) : made;
    if (template) await checkTemplate(ctx, template, message, flags);
    return { body: { ...callOptions(flags), message: checkMessageFlags(message, flags) } };
  },
  run: async (ctx, { body }, { flags, isPrompted }) => {
    const { message } = body;
    const { at, wait, within } = flags;
    assertWithin(within, wait);
    const allowed = async (): Promise<void> => {
      if (flags.ad) await assertNotQuiet(ctx, at);
      if (!flags.template) await assertVariables(ctx, message, flags);
    };
    const consent = { allowed, isPrompted };
    if (at !== undefined) return sendLater(ctx, body, flags, consent, at);
    const result = await sendNow(ctx, body, flags, consent).catch(async (error) => {
      throw await nameSenders(ctx, error);
    });
    return wait ? waitForSent(ctx, result, within) : result;
  },
});
