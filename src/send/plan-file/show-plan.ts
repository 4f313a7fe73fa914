/** `msg run show <file>.msgplan`: a plan, some of its messages, or what changed since another. */

import type { MessageInput } from "../../contract/message-records.ts";
import { writeAtomically } from "../../durable/atomic-write.ts";
import { usageError } from "../../errors.ts";
import { t, translated } from "../../locale/locale.ts";
import { fillTemplate } from "../../message/kakao-template.ts";
import { formatMessageCount, formatWon } from "../../message/price.ts";
import { detectType, sizeInBytes } from "../../message/type.ts";
import { readersOf } from "../../output/fields.ts";
import { bubble } from "../../output/template-preview.ts";
import { tableText } from "../../output/text/cell.ts";
import { aligned } from "../../output/text/width.ts";
import type { Result } from "../../output/view.ts";
import type { Ports } from "../../ports.ts";
import { confirm } from "../../prompt/prompt.ts";
import type { RunStore } from "../store/run-folder.ts";
import { storeOf } from "../store/run-store.ts";
import {
  approvalFile,
  approvalMs,
  approvalText,
  approve,
  assertApprovable,
  ownKey,
  readApproval,
} from "./approval.ts";
import { differencesOf } from "./diff.ts";
import type { PlanHeader } from "./format.ts";
import { differenceColumns, planColumns, planRecord, sampleColumns } from "./plan-record.ts";
import { type ReadPlan, readPlan } from "./read-plan.ts";

export interface ShowFlags {
  readonly sample?: number | undefined;
  readonly diff?: string | undefined;
}

/** Reads the file alone: neither an account nor a network is needed. */
export const showPlan = async (
  ctx: Ports,
  file: string,
  { sample, diff }: ShowFlags,
): Promise<Result> => {
  if (sample !== undefined && diff !== undefined)
    throw usageError(t`--sample and --diff exclude each other`, {
      code: "InvalidUsage",
      todo: t`use one of them`,
    });
  if (diff !== undefined) return showDifferences(ctx, file, diff);
  if (sample !== undefined) return showSample(ctx, file, sample);
  const plan = await readPlan(ctx.io.read(file), file);
  const approval = readApproval(storeOf(ctx), file);
  // That of another plan, which was here before, says nothing of this one.
  const own = approval?.digest === plan.digest ? approval : undefined;
  return { record: planRecord(file, plan, own), columns: planColumns };
};

const showDifferences = async (ctx: Ports, file: string, other: string): Promise<Result> => {
  const rows = await differencesOf(ctx, other, file);
  if (rows.length === 0) await ctx.note(t`the same as ${other}: same rows, sent the same way`);
  return { rows, columns: differenceColumns };
};

const showSample = async (ctx: Ports, file: string, count: number): Promise<Result> => {
  const spread = createSpread(count);
  const open: { header?: PlanHeader } = {};
  await readPlan(ctx.io.read(file), file, {
    onHeader: (header) => {
      open.header = header;
    },
    onMessage: (row, message) => {
      if (open.header) spread.add(open.header, row, message);
    },
  });
  if (ctx.view.format === "table" && ctx.view.fields === undefined)
    return { text: bubblesOf(spread.shown, ctx.io.out.columns) };
  return { rows: spread.shown, columns: sampleColumns };
};

interface ShownMessage {
  readonly row: number;
  readonly to: string;
  readonly from: string | null;
  readonly type: string;
  readonly bytes: number;
  readonly subject: string | null;
  readonly text: string;
  /** Their labels. */
  readonly buttons: readonly string[];
  readonly picture: string | null;
}

/** So many of all, evenly: the first is always among them. */
const createSpread = (count: number) => {
  const shown: ShownMessage[] = [];
  const seen = { at: 0 };
  return {
    shown,
    add: ({ run, templates }: PlanHeader, row: number, message: MessageInput): void => {
      const next = Math.floor((shown.length * run.messages) / count);
      if (seen.at >= next && shown.length < count) shown.push(asShown(row, message, templates));
      seen.at += 1;
    },
  };
};

const asShown = (
  row: number,
  message: MessageInput,
  templates: PlanHeader["templates"],
): ShownMessage => {
  const { kakaoOptions, text, subject, from = null, imageId = null } = message;
  const template = templates.find(({ templateId }) => templateId === kakaoOptions?.templateId);
  const filled = template && fillTemplate(template, kakaoOptions?.variables ?? {});
  const buttons = kakaoOptions?.buttons ?? filled?.buttons ?? [];
  const isUnread = kakaoOptions?.templateId && !template;
  return {
    row,
    to: [message.to ?? ""].flat().join(", "),
    from,
    type: detectType(message),
    bytes: sizeInBytes(text ?? ""),
    subject: kakaoOptions?.title ?? subject ?? null,
    text: text || (filled?.text ?? (isUnread ? t`template ${kakaoOptions.templateId ?? "–"}` : "")),
    buttons: buttons.map(({ buttonName }) => buttonName),
    picture: kakaoOptions?.imageId ?? imageId,
  };
};

/** The same as bubbles, for a person. */
const bubblesOf = (shown: readonly ShownMessage[], columns: number | undefined): string =>
  shown.map((it) => bubble(bubbleOf(it), columns)).join("");

const bubbleOf = ({ row, to, type, subject, text, buttons, picture }: ShownMessage) => ({
  title: t`row ${row} to ${to}, ${type}`,
  text: [...(picture ? [t`picture ${picture}`] : []), ...(subject ? [subject, ""] : []), text].join(
    "\n",
  ),
  buttons,
});

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
