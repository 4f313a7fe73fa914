/** `msg send`: at once, repeated within the replay window only, or `--at` an hour, until which the service keeps it. */

import type { Client } from "../../client/client.ts";
import { listSenders } from "../../contract/account.ts";
import type { Input } from "../../contract/endpoint.ts";
import { readGroup } from "../../contract/groups.ts";
import type { MessageInput, SendResult } from "../../contract/message-records.ts";
import { listMessages, sendMessage } from "../../contract/messages.ts";
import { MsgError, usageError } from "../../errors.ts";
import { asRecord } from "../../json/read-json.ts";
import { t } from "../../locale/locale.ts";
import { formatRefusedCount } from "../../message/price.ts";
import { maxReported, refusedProblem } from "../../message/status.ts";
import type { Result } from "../../output/view.ts";
import type { Ports } from "../../ports.ts";
import { isRefused } from "../protocol/outcomes.ts";
import {
  type ReconcileOptions,
  reconcileOptions,
  sendSingle,
  withCorrelationId,
} from "../reconcile/send-once.ts";
import { endingOf } from "../report/ending.ts";
import { summaryColumns } from "../report/next-step.ts";
import { scheduleError, serviceTime } from "../run/hours.ts";
import { onceWithinOf } from "../start/run-flags.ts";
import type { Summary } from "../store/summary.ts";
import { allowMessage, previewMessage } from "./announce.ts";
import { callOptions, type MessageFlags } from "./message.ts";
import { sendKeyed } from "./send-keyed.ts";
import { groupedRequest, resultOf, sendGrouped } from "./single-runs.ts";

export interface NowFlags extends MessageFlags {
  readonly ad?: boolean | undefined;
  readonly once?: string | undefined;
  readonly onceWithin?: string | undefined;
  readonly settle?: string | undefined;
  readonly tag?: boolean | undefined;
}

export const sendNow = async (
  ctx: Ports,
  body: NonNullable<Input<typeof sendMessage>["body"]>,
  flags: NowFlags,
  isPrompted: boolean | undefined,
  allowed: () => Promise<void>,
): Promise<Result> => {
  const { once, maxCost } = flags;
  const settling = reconcileOptions(flags);
  const { reconcileMs, tagged } = settling;
  const isMany = Array.isArray(body.message.to);
  if (isMany && once !== undefined)
    throw usageError(t`--once takes one recipient`, { todo: t`use send-many for several` });
  const going = { maxCost, allowed, isPrompted };
  const bodyOf = (run: string) =>
    tagged ? { ...body, message: withCorrelationId(body.message, run, 1) } : body;
  if (ctx.consent.dryRun) {
    const { method, path } = sendMessage;
    const single = { method, path, body: bodyOf("<run>") };
    const request = isMany ? groupedRequest({ ...settling, body }) : single;
    return previewMessage(ctx, body.message, going, request);
  }
  const guard = () => allowMessage(ctx, body.message, going);
  const onceWithinMs = onceWithinOf(flags);
  const how = { reconcileMs, tagged, isAdvertising: flags.ad };
  if (once !== undefined) return sendKeyed(ctx, { key: once, ...how, body, guard, onceWithinMs });
  const cost = await guard();
  if (isMany) return sendAll(ctx, body, flags, settling);
  const record = await sendSingle(ctx, { ...how, bodyOf });
  return { record, beside: { cost: cost ?? null, alreadySent: false } };
};

/** Sends one message to several recipients, as one group. Exit 3 when any is refused. */
const sendAll = async (
  ctx: Ports,
  body: NonNullable<Input<typeof sendMessage>["body"]>,
  flags: NowFlags,
  settling: ReconcileOptions,
): Promise<Result> => {
  const { run, finished } = await sendGrouped(ctx, { ...settling, body, isAdvertising: flags.ad });
  const ending = endingOf(run, finished, finished.summary, finished.problems);
  return { record: finished.summary, columns: summaryColumns, ending };
};

const unregistered = "1062";

/** A single send is refused as a whole: its text begins with the code of its message. */
const isUnregistered = (error: unknown): error is MsgError => {
  if (!(error instanceof MsgError)) return false;
  const { errorMessage } = asRecord(error.api);
  const inText = typeof errorMessage === "string" && errorMessage.startsWith(`${unregistered},`);
  return inText || [error, ...error.details].some(({ code }) => code === unregistered);
};

/** The error with the numbers that may send, where the service names them; else as it is. */
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
  const wrong = scheduleError(at, await serviceTime(ctx));
  if (wrong) throw wrong;
  const client = await ctx.session.client();
  const body = { message, ...callOptions(flags) };
  const send = { ...settling, body, isAdvertising: flags.ad, scheduledDate: at };
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
