/** A plan as people read it before it is sent: `msg run show <file>.msgplan`, and `msg run approve`. */

import type { MessageInput } from "../../contract/message-records.ts";
import { exclusive } from "../../errors.ts";
import { t, translated } from "../../locale/locale.ts";
import { fillTemplate } from "../../message/kakao-template.ts";
import { formatCost, formatMessageCount } from "../../message/price.ts";
import { detectType, sizeInBytes } from "../../message/type.ts";
import { readersOf } from "../../output/columns.ts";
import { bubble } from "../../output/template-preview.ts";
import { tableText } from "../../output/text/cell.ts";
import { aligned } from "../../output/text/width.ts";
import type { Result } from "../../output/view.ts";
import type { Ports } from "../../ports.ts";
import { confirm } from "../../prompt/prompt.ts";
import { storeOf } from "../store/run-folder.ts";
import { approvalFile, approvalMs, approve, assertApprovable, readApproval } from "./approval.ts";
import { differencesOf } from "./diff.ts";
import type { PlanHeader } from "./format.ts";
import { differenceColumns, planColumns, planRecord, sampleColumns } from "./plan-record.ts";
import { type ReadPlan, readPlan } from "./read-plan.ts";

export interface ShowFlags {
  readonly sample?: number | undefined;
  readonly diff?: string | undefined;
}

/** Reads only the file: neither an account nor a network is needed. */
export const showPlan = async (
  ctx: Ports,
  file: string,
  { sample, diff }: ShowFlags,
): Promise<Result> => {
  if (sample !== undefined && diff !== undefined)
    throw exclusive("--sample", "--diff", t`use one of them`);
  if (diff !== undefined) {
    const rows = await differencesOf(ctx, diff, file);
    if (rows.length === 0) await ctx.note(t`the same as ${diff}: same rows, sent the same way`);
    return { rows, columns: differenceColumns };
  }
  if (sample !== undefined) {
    const { messages } = await readSample(ctx, file, sample);
    if (ctx.view.format === "table" && ctx.view.fields === undefined)
      return { text: bubblesOf(messages, ctx.io.out.columns) };
    return { rows: messages, columns: sampleColumns };
  }
  const plan = await readPlan(ctx.io.read(file), file);
  const approval = readApproval(storeOf(ctx), file);
  // An approval of another plan that had this name does not count.
  const own = approval?.digest === plan.digest ? approval : undefined;
  return { record: planRecord(file, plan, own), columns: planColumns };
};

/** How many messages are shown before the prompt. */
const shownMessages = 3;

const approvalColumns = ["plan", "approval", "messages", "cost", "key", "expires"] as const;

/**
 * Shows a plan and signs it once the number of its messages was typed. Throws MsgError if the plan is incomplete,
 * cannot be approved, or another number was typed; then nothing is signed.
 */
export const approvePlan = async (ctx: Ports, file: string): Promise<Result> => {
  // Read once: the bytes that are approved are those that were shown.
  const { plan, messages: sample } = await readSample(ctx, file, shownMessages);
  await showHeader(ctx, file, plan);
  if (ctx.io.err.isTTY && !ctx.view.quiet)
    await ctx.io.err.write(bubblesOf(sample, ctx.io.err.columns));
  assertApprovable(plan.header.run, file);
  const { messages, price, fallbackPrice } = plan.header.run;
  const cost = price === null ? t`an unknown price` : formatCost(price, fallbackPrice);
  await confirm(ctx, {
    question: t`Approve ${formatMessageCount(messages)} for ${cost}?`,
    type: String(messages),
  });
  const approval = approvalFile(file);
  const record = { plan: file, approval, digest: plan.digest, messages, cost: price };
  if (ctx.consent.dryRun) {
    await ctx.note(t`dry run: nothing was signed`);
    return { record, columns: approvalColumns };
  }
  const { key, date } = await approve(ctx, file, plan);
  const expires = new Date(Date.parse(date) + approvalMs).toISOString();
  return { record: { ...record, key, expires }, columns: approvalColumns };
};

const showHeader = async (ctx: Ports, file: string, plan: ReadPlan): Promise<void> => {
  const record = planRecord(file, plan);
  const shown = tableText(ctx.view);
  for (const { name, value } of readersOf(planColumns)) {
    const text = shown(value(record));
    if (text !== "") await ctx.note(`${aligned(translated(name), 14)}${text}`);
  }
};

/** A plan, and `count` of its messages, evenly spread and the first always among them. */
const readSample = async (ctx: Ports, file: string, count: number) => {
  const messages: SampleMessage[] = [];
  let at = 0;
  const plan = await readPlan(ctx.io.read(file), file, {
    onMessage: (row, message, { run, templates }) => {
      const next = Math.floor((messages.length * run.messages) / count);
      if (at >= next && messages.length < count) messages.push(sampleOf(row, message, templates));
      at += 1;
    },
  });
  return { plan, messages };
};

type SampleMessage = ReturnType<typeof sampleOf>;

/** A message as a phone would show it. */
const sampleOf = (row: number, message: MessageInput, templates: PlanHeader["templates"]) => {
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

const bubblesOf = (messages: readonly SampleMessage[], columns: number | undefined): string =>
  messages
    .map(({ row, to, type, subject, text, buttons, picture }) => {
      const lines = [
        ...(picture ? [t`picture ${picture}`] : []),
        ...(subject ? [subject, ""] : []),
        text,
      ];
      return bubble(
        { title: t`row ${row} to ${to}, ${type}`, text: lines.join("\n"), buttons },
        columns,
      );
    })
    .join("");
