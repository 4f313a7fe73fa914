/** `--at`: messages that wait at the service until their hour. */
import { refusedOf } from "../../bulk/counted.ts";
import { isRefused, sentRows } from "../../bulk/outcomes.ts";
import type { Client } from "../../client/client.ts";
import type { Context } from "../../context.ts";
import type { Reply } from "../../contract/endpoint.ts";
import { readGroup } from "../../contract/groups.ts";
import type {
  Group,
  MessageInput,
  SendResult,
  StoredMessage,
} from "../../contract/message-records.ts";
import { listMessages, sendManyDetail } from "../../contract/messages.ts";
import { MsgError, usage } from "../../errors.ts";
import { mostTold, toldRefused } from "../../message/refused.ts";
import { statusMeaning } from "../../message/status.ts";
import type { Result } from "../command.ts";
import { atProblem, serviceTime } from "./hours.ts";
import { callOptions, guardCost, type MessageFlags } from "./message.ts";
import type { Settled } from "./settle.ts";
import { marked, newCall, type Settling, sendOnce } from "./settled.ts";

/** What was scheduled, in the words of the columns, above the service's own answer. */
interface Later {
  readonly groupId: string;
  /** Null where it is known that the group was made, and it cannot be read. */
  readonly status: string | null;
  readonly total: number;
  readonly refused: number;
  readonly scheduledDate: string | null;
  readonly groupInfo: Group | null;
  readonly failedMessageList: readonly SendResult[];
}

export const laterColumns = ["groupId", "status", "total", "refused", "scheduledDate"] as const;

interface When extends Settling {
  readonly at: string;
  readonly wait?: boolean | undefined;
}

/** Schedules in one call; refused rows are told, exit 3. The cost is what it would be now. */
export const sendLater = async (
  ctx: Context,
  message: MessageInput,
  flags: MessageFlags,
  { at, wait, tagged, settleMs }: When,
): Promise<Result> => {
  if (wait) throw waitForLater();
  // The service sends at once what lies in the past.
  const wrong = atProblem(at, await serviceTime(ctx));
  if (wrong) throw wrong;
  const client = await ctx.client();
  await guardCost(ctx, client, [message], flags.maxCost);
  const body = { messages: [message], ...callOptions(flags), scheduledDate: at };
  const rows = [message.to].flat().length;
  const one = newCall(ctx, { call: "send-many", rows, tagged, scheduledDate: at }, (run) =>
    tagged ? { ...body, messages: [marked(message, run, 1)] } : body,
  );
  const read = (reply: Reply<typeof sendManyDetail>) => takenBy(reply, rows);
  const sent = await sendOnce(ctx, sendManyDetail, { body }, { one, settleMs, read });
  const record = "answer" in sent ? sent.answer : await lookedUp(client, sent);
  return { record, columns: laterColumns, ending: endingOf(record) };
};

const waitForLater = (): MsgError =>
  usage("--wait and --at exclude each other", {
    code: "InvalidValue",
    todo: "nothing was sent; leave --wait out: msg group wait <id> waits when its hour has come",
  });

/** Undefined where the counts are not those of the call: what is in doubt then is settled. */
const takenBy = (
  { groupInfo, failedMessageList }: Reply<typeof sendManyDetail>,
  rows: number,
): Later | undefined => {
  const sent = sentRows(groupInfo, rows);
  if (sent === undefined) return undefined;
  const books = { groupId: sent.id, ...sent.counts };
  // The counts prove it; a list that is missing beside them takes nothing away.
  const failed = Array.isArray(failedMessageList) ? failedMessageList.filter(Boolean) : [];
  return laterOf(books, groupInfo, failed);
};

const laterOf = (
  { groupId, accepted, refused }: Pick<Settled, "groupId" | "accepted" | "refused">,
  groupInfo: Group | null,
  failedMessageList: readonly SendResult[],
): Later => ({
  groupId,
  status: groupInfo?.status ?? null,
  total: accepted + refused,
  refused,
  scheduledDate: groupInfo?.scheduledDate ?? null,
  groupInfo,
  failedMessageList,
});

/** The calls that read what was settled may still be made when the operator stops the command. */
const detached = { detached: true };

/** What the answer would have told, read from the service; it was taken, whether that can be read or not. */
const lookedUp = async (client: Client, sent: Settled): Promise<Later> => {
  const params = { groupId: sent.groupId };
  const group = await client.call(readGroup, { params }, detached).catch(() => null);
  const failed = sent.refused === 0 ? [] : await readFailed(client, sent.groupId);
  return laterOf(sent, group, failed);
};

const readFailed = async (client: Client, groupId: string): Promise<readonly SendResult[]> => {
  const query = { groupId, criteria: "statusCode", cond: "ne", value: "2000" };
  const found: SendResult[] = [];
  try {
    for await (const { rows } of client.pages(listMessages, { query }, detached))
      found.push(...rows.filter(isRefused).map(resultOf));
  } catch {
    // The others are taken: a list that cannot be read does not change that.
  }
  return found;
};

const resultOf = (it: StoredMessage): SendResult => {
  const { messageId, accountId, statusCode, to, from, type, country } = it;
  const statusMessage = statusMeaning(statusCode);
  return { messageId, accountId, statusMessage, statusCode, to, from, type: type ?? "", country };
};

const endingOf = (it: Later): MsgError | undefined => {
  const { groupId, status, total, refused } = it;
  if (refused === 0) return undefined;
  return new MsgError("partial", refusedOf(refused, total), {
    where: `group ${groupId}`,
    todo:
      status === "SCHEDULED"
        ? `msg group unschedule ${groupId} stops the others`
        : `msg message list --group-id ${groupId} --all shows every message with its code`,
    outcome: "partial",
    details: it.failedMessageList.slice(0, mostTold).map(toldRefused),
  });
};
