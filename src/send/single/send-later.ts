/** `--at`: messages that wait at the service until their hour. */

import type { Client } from "../../client/client.ts";
import { readGroup } from "../../contract/groups.ts";
import type { MessageInput, SendResult, StoredMessage } from "../../contract/message-records.ts";
import { listMessages } from "../../contract/messages.ts";
import { MsgError, usageError } from "../../errors.ts";
import { inEnglish, t } from "../../locale/locale.ts";
import { formatRefusedCount } from "../../message/price.ts";
import { maxReported, refusedProblem, statusMeaning } from "../../message/status.ts";
import type { Result } from "../../output/view.ts";
import type { Ports } from "../../ports.ts";
import { isRefused } from "../protocol/outcomes.ts";
import type { ReconcileOptions } from "../reconcile/send-once.ts";
import { endingOf } from "../report/ending.ts";
import { atProblem, serviceTime } from "../run/hours.ts";
import type { Summary } from "../store/summary.ts";
import { allowMessage, previewMessage } from "./announce.ts";
import { callOptions, type MessageFlags } from "./message.ts";

export const laterColumns = ["groupId", "status", "total", "refused", "scheduledDate"] as const;

interface When extends ReconcileOptions {
  readonly at: string;
  readonly wait?: boolean | undefined;
  readonly before: {
    readonly allowed: () => Promise<void>;
    readonly isPrompted: boolean | undefined;
  };
}

/** Schedules as one group; reports refused rows, exit 3. The cost is what it would be now. */
export const sendLater = async (
  ctx: Ports,
  message: MessageInput,
  flags: MessageFlags & { readonly ad?: boolean | undefined },
  { at, wait, before, ...settling }: When,
): Promise<Result> => {
  if (wait)
    throw usageError(t`--wait and --at exclude each other`, {
      code: "InvalidValue",
      todo: t`nothing was sent; omit --wait, and wait after the scheduled time with msg group wait <id>`,
    });
  // The service sends at once what lies in the past.
  const wrong = atProblem(at, await serviceTime(ctx));
  if (wrong) throw wrong;
  const client = await ctx.session.client();
  const body = { message, ...callOptions(flags) };
  const send = { ...settling, body, isAdvertising: flags.ad, scheduledDate: at };
  const { groupedRequest, sendGrouped } = await import("./send-group.ts");
  const going = { maxCost: flags.maxCost, ...before };
  if (ctx.consent.dryRun) return previewMessage(ctx, message, going, groupedRequest(send));
  await allowMessage(ctx, message, going);
  const { run, finished } = await sendGrouped(ctx, send);
  const { summary, problems } = finished;
  const [groupId] = summary.groups;
  const isTaken = groupId !== undefined && summary.accepted + summary.refused === summary.total;
  const unfinished = endingOf(run, finished, summary, problems);
  if (!isTaken && unfinished) throw unfinished;
  const record = await lookedUp(client, groupId ?? "", summary);
  return { record, columns: laterColumns, ending: partlyRefused(record) };
};

/** The calls that read what was settled may still be made when the operator stops the command. */
const detached = { detached: true };

/** What the service shows of it: it was taken, whether that can be read or not. */
const lookedUp = async (client: Client, groupId: string, { accepted, refused }: Summary) => {
  const group = await client.call(readGroup, { params: { groupId } }, detached).catch(() => null);
  return {
    groupId,
    status: group?.status ?? null,
    total: accepted + refused,
    refused,
    scheduledDate: group?.scheduledDate ?? null,
    groupInfo: group,
    failedMessageList: refused === 0 ? [] : await readFailed(client, groupId),
  };
};

type Later = Awaited<ReturnType<typeof lookedUp>>;

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

/** A message of the service's list as the answer to its send would have shown it. */
export const resultOf = (it: StoredMessage): SendResult => {
  const { messageId, accountId, statusCode, to, from, type, country } = it;
  const statusMessage = inEnglish(() => statusMeaning(statusCode));
  return { messageId, accountId, statusMessage, statusCode, to, from, type: type ?? "", country };
};

const partlyRefused = (it: Later): MsgError | undefined => {
  const { groupId, status, total, refused } = it;
  if (refused === 0) return undefined;
  return new MsgError("partial", formatRefusedCount(refused, total), {
    where: t`group ${groupId}`,
    todo:
      status === "SCHEDULED"
        ? t`msg group unschedule ${groupId} stops the others`
        : t`msg message list --group-id ${groupId} --all shows every message with its code`,
    outcome: "partial",
    details: it.failedMessageList.slice(0, maxReported).map(refusedProblem),
  });
};
