/** `msg send` at once: repeated within the replay window only, once where a key says so, to one recipient or to several. */

import type { Input } from "../../contract/endpoint.ts";
import { sendMessage } from "../../contract/messages.ts";
import { usageError } from "../../errors.ts";
import { t } from "../../locale/locale.ts";
import type { Result } from "../../output/view.ts";
import type { Ports } from "../../ports.ts";
import {
  type ReconcileOptions,
  reconcileOptions,
  sendSingle,
  withCorrelationId,
} from "../reconcile/send-once.ts";
import { endingOf } from "../report/ending.ts";
import { summaryColumns } from "../report/summary-columns.ts";
import { onceWithinOf } from "../start/run-flags.ts";
import { allowMessage, previewMessage } from "./announce.ts";
import type { MessageFlags } from "./message.ts";
import { groupedRequest } from "./send-group.ts";
import { sendKeyed } from "./send-keyed.ts";

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
  const { sendGrouped } = await import("./send-group.ts");
  const { run, finished } = await sendGrouped(ctx, { ...settling, body, isAdvertising: flags.ad });
  const ending = endingOf(run, finished, finished.summary, finished.problems);
  return { record: finished.summary, columns: summaryColumns, ending };
};
