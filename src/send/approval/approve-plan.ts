/** `msg run approve`: shows a plan to a second person, and signs it when they have typed how many messages it sends. */

import { writeAtomically } from "../../durable/atomic-write.ts";
import { t, translated } from "../../locale/locale.ts";
import { formatMessageCount, formatWon } from "../../message/price.ts";
import { readersOf } from "../../output/fields.ts";
import { tableText } from "../../output/text/cell.ts";
import { aligned } from "../../output/text/width.ts";
import type { Result } from "../../output/view.ts";
import type { Ports } from "../../ports.ts";
import { confirm } from "../../prompt/prompt.ts";
import type { PlanHeader } from "../plan-file/format.ts";
import { type ReadPlan, readPlan } from "../plan-file/read-plan.ts";
import { planColumns } from "../plan-view/plan-names.ts";
import { planRecord } from "../plan-view/plan-record.ts";
import { bubblesOf, createSpread } from "../plan-view/sample.ts";
import type { RunStore } from "../store/run-folder.ts";
import { approvalFile, approvalMs, approvalText, approve } from "./approval.ts";
import { assertApprovable } from "./assert-approved.ts";
import { ownKey } from "./keys.ts";

/** Messages that are shown before the question. */
const shownMessages = 3;

/** Throws MsgError: the plan is not whole or cannot be approved, or another number was typed; then nothing is signed. */
export const approvePlan = async (ctx: Ports, store: RunStore, file: string): Promise<Result> => {
  const plan = await readShown(ctx, file);
  assertApprovable(plan.header.run, file);
  const { messages, price } = plan.header.run;
  const cost = price === null ? t`an unknown price` : formatWon(price);
  await confirm(ctx, {
    question: t`Approve ${formatMessageCount(messages)} for ${cost}?`,
    type: String(messages),
  });
  const { digest } = plan;
  const approval = approvalFile(file);
  if (ctx.consent.dryRun) {
    await ctx.note(t`dry run: nothing was signed`);
    return { record: { plan: file, approval, digest, messages, cost: price }, columns };
  }
  const now = ctx.clock.now();
  const signed = approve({ digest, messages }, await ownKey(ctx), now);
  writeAtomically(store.files, approval, approvalText(signed), store);
  const expires = new Date(now.getTime() + approvalMs).toISOString();
  const { key } = signed;
  return { record: { plan: file, approval, digest, messages, cost: price, key, expires }, columns };
};

const columns = ["plan", "approval", "messages", "cost", "key", "expires"] as const;

/** Read and shown in one go: what is approved are the bytes that were shown. */
const readShown = async (ctx: Ports, file: string): Promise<ReadPlan> => {
  const spread = createSpread(shownMessages);
  const open: { header?: PlanHeader } = {};
  const plan = await readPlan(ctx.io.read(file), file, {
    onHeader: (header) => {
      open.header = header;
    },
    onMessage: (row, message) => {
      if (open.header) spread.add(open.header, row, message);
    },
  });
  const record = planRecord(file, plan);
  const shown = tableText(ctx.view);
  for (const { name, value } of readersOf(planColumns)) {
    const text = shown(value(record));
    if (text !== "") await ctx.note(`${aligned(translated(name), 14)}${text}`);
  }
  if (ctx.io.err.isTTY && !ctx.view.quiet)
    await ctx.io.err.write(bubblesOf(spread.shown, ctx.io.err.columns));
  return plan;
};
