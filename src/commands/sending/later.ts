/** `--at`: messages that wait at the service until their hour. */
import type { Context } from "../../context.ts";
import type { Reply } from "../../contract/endpoint.ts";
import type { MessageInput } from "../../contract/message-records.ts";
import { sendManyDetail } from "../../contract/messages.ts";
import { MsgError, usage } from "../../errors.ts";
import { mostTold, toldRefused } from "../../message/refused.ts";
import type { Result } from "../command.ts";
import { atProblem, serviceTime } from "./hours.ts";
import { callOptions, guardCost, type MessageFlags } from "./message.ts";

type Later = Reply<typeof sendManyDetail>;

const columns = [
  { name: "groupId", value: ({ groupInfo }: Later) => groupInfo.groupId },
  { name: "status", value: ({ groupInfo }: Later) => groupInfo.status },
  { name: "total", value: ({ groupInfo }: Later) => groupInfo.count.total },
  { name: "refused", value: ({ groupInfo }: Later) => groupInfo.count.registeredFailed },
  { name: "scheduledDate", value: ({ groupInfo }: Later) => groupInfo.scheduledDate },
] as const;

/** Schedules in one call; refused rows are told, exit 3. The cost is what it would be now. */
export const sendLater = async (
  ctx: Context,
  messages: readonly MessageInput[],
  flags: MessageFlags,
  { at, wait }: { readonly at: string; readonly wait?: boolean | undefined },
): Promise<Result> => {
  if (wait) throw usage("--wait and --at exclude each other", { code: "InvalidValue" });
  // The service sends at once what lies in the past.
  const wrong = atProblem(at, await serviceTime(ctx));
  if (wrong) throw wrong;
  const client = await ctx.client();
  await guardCost(ctx, client, messages, flags.maxCost);
  const record = await client.call(sendManyDetail, {
    body: { messages: [...messages], ...callOptions(flags), scheduledDate: at },
  });
  return { record, columns, ending: endingOf(record) };
};

const endingOf = ({ groupInfo, failedMessageList }: Later): MsgError | undefined => {
  if (failedMessageList.length === 0) return undefined;
  const { total, registeredFailed } = groupInfo.count;
  return new MsgError("partial", `${registeredFailed} of ${total} messages were refused`, {
    where: `group ${groupInfo.groupId}`,
    todo: `msg group unschedule ${groupInfo.groupId} stops the others`,
    outcome: "partial",
    details: failedMessageList.slice(0, mostTold).map(toldRefused),
  });
};
