/** What stops a run before its first request: exit 7, nothing was sent, the run is kept. */

import { quotas } from "../../contract/account.ts";
import { minCharge } from "../../contract/cash.ts";
import { MsgError } from "../../errors.ts";
import { joinSentences, t } from "../../locale/locale.ts";
import { formatFigure, formatMessageCount, formatWon } from "../../message/price.ts";
import type { Ports } from "../../ports.ts";
import type { Ask } from "../../prompt/prompt.ts";
import { findTakenRows, restBehind } from "../claims/taken-rows.ts";
import { highestCost, wholeSource } from "../parts/part.ts";
import type { PlannedRun } from "../plan/plan-run.ts";
import { assertApproved } from "../plan-file/approval.ts";
import type { Taken } from "../protocol/state.ts";
import { type RunFile, sendCommand } from "../store/run-file.ts";
import type { Summary } from "../store/summary.ts";
import { readAccount, readQuota } from "./account.ts";
import {
  assertCeilings,
  assertConsent,
  type Limits,
  type Spending,
  stopError,
} from "./spending.ts";

/** Throws MsgError (stopped) if a run may not begin: above a ceiling, or without enough money or quota. */
export const assertRunAllowed = (
  ctx: Ports,
  made: Means,
  flags: Limits,
  taken: readonly Taken[],
): void => {
  assertApproved(ctx, made.run);
  const spending = spendingOf(ctx, made.run, flags);
  assertCeilings(ctx, spending);
  assertEnough(made, taken, spending);
  assertConsent(ctx, spending);
};

type Means = Pick<PlannedRun, "run" | "money" | "quota">;

/**
 * Checks the operator's own limits again when a run is resumed; money and quota, too, if it was never begun: they
 * may be what stopped it. Throws MsgError (stopped).
 */
export const assertResumeAllowed = async (
  ctx: Ports,
  run: RunFile,
  flags: Limits,
  isBegun: boolean,
): Promise<void> => {
  const spending = spendingOf(ctx, run, flags);
  assertCeilings(ctx, spending);
  if (!isBegun) {
    const { money } = await readAccount(ctx);
    const made = { run, money, quota: await readQuota(ctx, run.scheduledDate) };
    if (findLacks(made).length > 0) assertEnough(made, await findTakenRows(ctx, run), spending);
  }
  assertConsent(ctx, spending);
};

const spendingOf = (
  { consent }: Ports,
  run: RunFile,
  { maxCost, maxRecipients }: Limits,
): Spending => ({
  unit: "messages",
  amount: wholeSource(run).messages,
  cost: highestCost(run),
  limits: {
    maxCost: maxCost ?? run.maxCost ?? undefined,
    maxRecipients: maxRecipients ?? run.maxRecipients,
  },
  // A dry run keeps nothing.
  ...(!consent.dryRun && {
    where: t`run ${run.run}`,
    again: (flag: string) => `${sendCommand(run)} ${flag}`,
  }),
});

/** Reports everything that is missing at once, so that a second attempt does not fail on the next thing. */
const assertEnough = (made: Means, taken: readonly Taken[], { where, again }: Spending): void => {
  const lacks = findLacks(made, taken);
  const [first] = lacks;
  if (first === undefined) return;
  throw stopError(
    { where },
    first.code,
    joinSentences(lacks.map(({ text }) => text)),
    joinSentences([
      ...lacks.map(({ todo }) => todo),
      ...(again ? [t`then continue: ${again("")}`.trimEnd()] : []),
    ]),
  );
};

/** What is missing of money or quota for the rows that other runs have not sent. */
export const findLacks = ({ run, money, quota }: Means, taken: readonly Taken[] = []) => {
  // Scheduled rows are neither paid nor counted yet.
  const rest = restBehind(
    run,
    taken.filter((it) => !it.scheduled),
  );
  const { notSent: messages } = rest;
  const price = messages === 0 ? 0 : (priceOf(run, rest) ?? 0);
  const lacks: { readonly code: string; readonly text: string; readonly todo: string }[] = [];
  if (money !== undefined && price > money)
    lacks.push({
      code: "BalanceTooShort",
      text: t`${formatWon(price)} needed, the balance is ${formatWon(money)}`,
      todo: t`top up the balance: msg balance charge ${Math.max(minCharge, Math.ceil(price - money))} --payment <paymentId>`,
    });
  if (quota !== undefined && messages > quota.left)
    lacks.push({
      code: "QuotaTooSmall",
      text: t`${formatFigure(messages)} needed, ${formatFigure(quota.left)} of the daily quota left`,
      todo: t`request a higher quota: msg quota request --amount ${Math.max(quotas.min, quota.daily + messages - quota.left)} --reason <text>, or wait until tomorrow in Korea`,
    });
  return lacks;
};

type Rest = Pick<Summary, "notSent" | "cost">;

/** Prompts on a terminal; elsewhere the guards decide. Throws MsgError (stopped) for a no. */
export const confirmRun = async (ctx: Ports, run: RunFile, rest: Rest): Promise<void> => {
  if (
    !ctx.ask ||
    ctx.consent.yes ||
    ctx.consent.typed?.trim() === String(wholeSource(run).messages)
  )
    return;
  const question = sendingQuestion(run, rest);
  const after = t`${sendCommand(run)} sends it after all`;
  const agreed = await askToSend(ctx, ctx.ask, question, rest.notSent).catch((error: unknown) => {
    if (!(error instanceof MsgError) || error.kind !== "interrupted") throw error;
    const todo = t`nothing was sent; ${after}`;
    throw new MsgError("interrupted", t`interrupted`, { where: t`run ${run.run}`, todo });
  });
  if (!agreed) throw stopError({ where: t`run ${run.run}` }, "Declined", t`declined`, after);
};

const sendingQuestion = (run: RunFile, rest: Rest): string => {
  const count = formatMessageCount(rest.notSent);
  const price = priceOf(run, rest);
  if (rest.notSent === run.messages)
    return price === null
      ? t`Send ${count}, price not known?`
      : t`Send ${count} for ${formatWon(price)}?`;
  return price === null
    ? t`Send the ${count} not sent yet, price not known?`
    : t`Send the ${count} not sent yet for at most ${formatWon(price)}?`;
};

/** A part costs at most what is left of the whole price; more is not known about it. */
export const priceOf = ({ price }: RunFile, rest: Pick<Rest, "cost"> | undefined): number | null =>
  price === null ? null : Math.max(0, price - (rest?.cost ?? 0));

/** Asks the operator to type the number of messages if there are many of them; else for y. */
const askToSend = async (
  { settings }: Ports,
  ask: Ask,
  question: string,
  messages: number,
): Promise<boolean> => {
  if (messages <= settings.confirmRows.value) return ask.confirm(question);
  const typed = await ask.text(t`${question} Type ${messages} to send:`);
  return typed.trim() === String(messages);
};
