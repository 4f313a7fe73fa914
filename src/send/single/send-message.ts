/** `msg send`: at once, or `--at` a time until which the service keeps the message. */

import { type Client, detached } from "../../client/client.ts";
import { listSenders } from "../../contract/account.ts";
import { readGroup } from "../../contract/groups.ts";
import type { SendResult } from "../../contract/message-records.ts";
import { listMessages, sendMessage } from "../../contract/messages.ts";
import { exclusive, MsgError, usageError } from "../../errors.ts";
import { asRecord } from "../../json/read-json.ts";
import { t } from "../../locale/locale.ts";
import { formatRefusedCount } from "../../message/price.ts";
import { maxReported, refusedProblem } from "../../message/status.ts";
import type { Result } from "../../output/view.ts";
import type { Ports } from "../../ports.ts";
import type { MessageFlags } from "../messages/message-flags.ts";
import { isRefused } from "../protocol/outcomes.ts";
import { endingOf, resultOf } from "../report/ending.ts";
import { scheduleError, serviceTime } from "../run/hours.ts";
import { onceWithinOf, type RunFlags } from "../start/run-flags.ts";
import type { Summary } from "../store/summary.ts";
import { allowMessage, type Consent, previewMessage } from "./announce.ts";
import { sendKeyed } from "./send-keyed.ts";
import { bodyOf, type SendBody, sendOf, sendSingle } from "./send-single.ts";
import { groupedRequest, sendGrouped, sendResultOf } from "./single-runs.ts";

type SendFlags = MessageFlags &
  Pick<RunFlags, "ad" | "once" | "onceWithin" | "settle" | "tag" | "wait">;

/** The record of the message, or the summary of a group of several. Throws MsgError. */
export const sendNow = async (
  ctx: Ports,
  body: SendBody,
  flags: SendFlags,
  consent: Consent,
): Promise<Result> => {
  const { once, maxCost } = flags;
  const send = sendOf(body, flags);
  const isMany = Array.isArray(body.message.to);
  if (isMany && once !== undefined)
    throw usageError(t`--once takes one recipient`, { todo: t`use send-many for several` });
  const asked = { maxCost, ...consent };
  const onceWithinMs = onceWithinOf(flags);
  if (ctx.consent.dryRun) {
    const { method, path } = sendMessage;
    const single = { method, path, body: bodyOf(send, "<run>") };
    const isGroup = isMany || (once !== undefined && send.tagged);
    const request = isGroup ? groupedRequest(send) : single;
    return previewMessage(ctx, body.message, asked, request);
  }
  const guard = () => allowMessage(ctx, body.message, asked);
  if (once !== undefined) return sendKeyed(ctx, { ...send, key: once, guard, onceWithinMs });
  const cost = await guard();
  if (isMany) {
    const { run, finished } = await sendGrouped(ctx, send);
    return resultOf(run, finished);
  }
  const record = await sendSingle(ctx, send);
  return { record, beside: { cost: cost ?? null, alreadySent: false } };
};

const unregistered = "1062";

/** The error of a single send carries the code of its message at the beginning of its text. */
const isUnregistered = (error: unknown): error is MsgError => {
  if (!(error instanceof MsgError)) return false;
  const { errorMessage } = asRecord(error.api);
  const inText = typeof errorMessage === "string" && errorMessage.startsWith(`${unregistered},`);
  return inText || [error, ...error.details].some(({ code }) => code === unregistered);
};

/** The error with the numbers that may send, if the service names them; else as it is. */
export const nameSenders = async (ctx: Ports, error: unknown): Promise<unknown> => {
  if (!isUnregistered(error)) return error;
  const client = await ctx.session.client();
  const reply = await client.call(listSenders, {}).catch(() => undefined);
  const numbers = reply?.senderIds.map(({ phoneNumber }) => phoneNumber).join(", ");
  if (!numbers) return error;
  const todo = t`register the sender number, or use a registered one: ${numbers} (msg sender list)`;
  return new MsgError(error.kind, error.message, { ...error, todo });
};

export const laterColumns = ["groupId", "status", "total", "refused", "scheduledDate"] as const;

/** Schedules as one group; reports refused rows, exit 3. The cost is what it would be now. */
export const sendLater = async (
  ctx: Ports,
  body: SendBody,
  flags: SendFlags,
  consent: Consent,
  at: string,
): Promise<Result> => {
  const send = { ...sendOf(body, flags), scheduledDate: at };
  if (flags.once !== undefined)
    throw exclusive(
      "--once",
      "--at",
      t`nothing was sent; to schedule exactly once, use msg send-many --at with one row`,
    );
  if (flags.wait)
    throw exclusive(
      "--wait",
      "--at",
      t`nothing was sent; omit --wait, and wait after the scheduled time with msg group wait <id>`,
    );
  // The service sends at once what is scheduled for the past.
  const wrong = scheduleError(at, await serviceTime(ctx));
  if (wrong) throw wrong;
  const client = await ctx.session.client();
  const asked = { maxCost: flags.maxCost, ...consent };
  if (ctx.consent.dryRun) return previewMessage(ctx, body.message, asked, groupedRequest(send));
  await allowMessage(ctx, body.message, asked);
  const { run, finished } = await sendGrouped(ctx, send);
  const { summary } = finished;
  const [groupId] = summary.groups;
  const isTaken = groupId !== undefined && summary.accepted + summary.refused === summary.total;
  const unfinished = endingOf(run, finished);
  if (!isTaken && unfinished) throw unfinished;
  const record = await readScheduled(client, groupId ?? "", summary);
  return { record, ending: partlyRefusedError(record) };
};

/** The group as the service shows it; null members if it cannot be read. */
const readScheduled = async (client: Client, groupId: string, { accepted, refused }: Summary) => {
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

const readFailed = async (client: Client, groupId: string): Promise<readonly SendResult[]> => {
  const query = { groupId, criteria: "statusCode", cond: "ne", value: "2000" };
  const found: SendResult[] = [];
  try {
    for await (const { rows } of client.pages(listMessages, { query }, detached))
      found.push(...rows.filter(isRefused).map(sendResultOf));
  } catch {
    // The others are scheduled, whether the list can be read or not.
  }
  return found;
};

type Scheduled = Awaited<ReturnType<typeof readScheduled>>;

const partlyRefusedError = (scheduled: Scheduled): MsgError | undefined => {
  const { groupId, status, total, refused, failedMessageList } = scheduled;
  if (refused === 0) return undefined;
  return new MsgError("partial", formatRefusedCount(refused, total), {
    where: t`group ${groupId}`,
    todo:
      status === "SCHEDULED"
        ? t`msg group unschedule ${groupId} stops the others`
        : t`msg message list --group-id ${groupId} --all shows every message with its code`,
    outcome: refused < total ? "partial" : "refused",
    details: failedMessageList.slice(0, maxReported).map(refusedProblem),
  });
};
