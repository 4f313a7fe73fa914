/** `msg send` at once: repeated within the replay window only, once where a key says so, to one recipient or to several. */

import type { Input } from "../../contract/endpoint.ts";
import type { sendMessage } from "../../contract/messages.ts";
import { usageError } from "../../errors.ts";
import type { Result } from "../../output/view.ts";
import type { Ports } from "../../ports.ts";
import {
  type ReconcileOptions,
  reconcileOptions,
  sendSingle,
  withCorrelationId,
} from "../../reconcile/send-once.ts";
import { endingOf } from "../report/ending.ts";
import { summaryColumns } from "../report/summary-columns.ts";
import { assertCostAllowed, type MessageFlags } from "./message.ts";
import { sendKeyed } from "./send-keyed.ts";

export interface NowFlags extends MessageFlags {
  readonly ad?: boolean | undefined;
  readonly once?: string | undefined;
  readonly settle?: string | undefined;
  readonly tag?: boolean | undefined;
}

export const sendNow = async (
  ctx: Ports,
  body: NonNullable<Input<typeof sendMessage>["body"]>,
  flags: NowFlags,
  usual: () => Promise<Result>,
  allowed: () => Promise<void>,
): Promise<Result> => {
  const { once } = flags;
  const isKeyed = once !== undefined && !ctx.consent.dryRun;
  const settling = reconcileOptions(flags);
  const { reconcileMs, tagged } = settling;
  const isMany = Array.isArray(body.message.to);
  if (isMany && once !== undefined)
    throw usageError("--once takes one recipient", { todo: "use send-many for several" });
  if (!isKeyed) await allowed();
  if (isMany) return sendAll(ctx, body, flags, settling);
  const guard = async (): Promise<void> =>
    assertCostAllowed(ctx, await ctx.session.client(), [body.message], flags.maxCost);
  if (!isKeyed) await guard();
  if (ctx.consent.dryRun) return usual();
  const bodyOf = (run: string) =>
    tagged ? { ...body, message: withCorrelationId(body.message, run, 1) } : body;
  if (once !== undefined) {
    const both = () => allowed().then(guard);
    const how = { reconcileMs, tagged, isAdvertising: flags.ad };
    const keyed = { key: once, ...how, plain: body, bodyOf, guard: both };
    return { record: await sendKeyed(ctx, keyed) };
  }
  return {
    record: await sendSingle(ctx, { reconcileMs, tagged, isAdvertising: flags.ad, bodyOf }),
  };
};

/** Sends one message to several recipients, as one group. Exit 3 when any is refused. */
const sendAll = async (
  ctx: Ports,
  body: NonNullable<Input<typeof sendMessage>["body"]>,
  flags: NowFlags,
  settling: ReconcileOptions,
): Promise<Result> => {
  await assertCostAllowed(ctx, await ctx.session.client(), [body.message], flags.maxCost);
  const { previewGrouped, sendGrouped } = await import("./send-group.ts");
  const send = { ...settling, body, isAdvertising: flags.ad };
  if (ctx.consent.dryRun) return previewGrouped(send);
  const { run, finished } = await sendGrouped(ctx, send);
  const ending = endingOf(run, finished, finished.summary, finished.problems);
  return { record: finished.summary, columns: summaryColumns, ending };
};
