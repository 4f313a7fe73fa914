/** What one message is, what it costs, and to whom it goes: shown before it is sent. */

import type { MessageInput } from "../../contract/message-records.ts";
import { truncate } from "../../errors.ts";
import { t } from "../../locale/locale.ts";
import {
  formatByteCount,
  formatCharacterCount,
  formatCost,
  formatFigure,
  formatWon,
} from "../../message/price.ts";
import {
  bodySize,
  detectType,
  isMessageType,
  mayBeReplaced,
  typeLimits,
} from "../../message/type.ts";
import { template } from "../../message/variables.ts";
import { timeText } from "../../output/text/cell.ts";
import type { Result } from "../../output/view.ts";
import type { Ports } from "../../ports.ts";
import { confirm } from "../../prompt/prompt.ts";
import { spendingOfMessages } from "../guards/call-spending.ts";
import { assertSpendingAllowed, findStop, type Limits } from "../guards/spending.ts";
import { findLost, lostText } from "../plan/skipped-rows.ts";
import { planResult, type Request } from "../report/dry-run.ts";
import { labels, linesWithText, maxShown } from "../report/panel.ts";

/** What is needed to send a message, in addition to its ceiling. */
export interface Consent {
  /** Throws MsgError if it may not be sent now. */
  readonly allowed: () => Promise<void>;
  readonly isPrompted?: boolean | undefined;
}

/** Throws MsgError if it may not be sent. Returns what it costs, if that was read. */
export const allowMessage = async (
  ctx: Ports,
  message: MessageInput,
  { allowed, isPrompted, ...limits }: Consent & Limits,
): Promise<number | undefined> => {
  await allowed();
  const { spending, ...prices } = await spendingOfMessages(ctx, [message], limits);
  assertSpendingAllowed(ctx, spending);
  await noteOdd(ctx, message);
  if (ctx.io.err.isTTY)
    await ctx.note(
      partsOf(message, prices)
        .map(([label, it]) => (label === "to" ? t`to ${it}` : it))
        .join(" · "),
    );
  if (isPrompted) await confirm(ctx, { question: t`Send it?` });
  return prices.price;
};

/** Warns of a character that a phone may not show, and of a variable that nothing has replaced. */
const noteOdd = async (ctx: Ports, message: MessageInput): Promise<void> => {
  const lost = findLost(message);
  if (lost !== undefined) await ctx.note(lostText(t`"${lost}" in the text`));
  // The service fills those of a Kakao template.
  const [name] = message.kakaoOptions ? [] : template(message.text ?? "").names;
  if (name !== undefined)
    await ctx.note(t`#{${name}} in the text is sent as it is; to replace it: --var ${name}=…`);
};

/** What `-n` shows: the message, and what would stop it. */
export const previewMessage = async (
  ctx: Ports,
  message: MessageInput,
  { allowed, ...limits }: Consent & Limits,
  request: Request,
): Promise<Result> => {
  const { spending, ...prices } = await spendingOfMessages(ctx, [message], limits);
  const stop = await findStop(async () => {
    await allowed();
    assertSpendingAllowed(ctx, spending);
  });
  await noteOdd(ctx, message);
  const maxCost = limits.maxCost ?? ctx.settings.maxCost.value;
  const maxRecipients = limits.maxRecipients ?? ctx.settings.maxRecipients.value;
  const messages = spending.amount;
  const { scheduledDate } = request;
  return planResult(ctx, {
    lines: linesWithText([
      ...partsOf(message, prices),
      ["ceiling", maxCost === undefined ? undefined : formatWon(maxCost)],
      ["at", scheduledDate && timeText(ctx.view)(scheduledDate)],
      ["text", message.text && truncate(message.text, maxShown)],
    ]),
    plan: {
      messages,
      types: { [detectType(message)]: messages },
      cost: prices.price ?? null,
      maxCost: maxCost ?? null,
      maxRecipients: maxRecipients ?? null,
    },
    request,
    stop,
  });
};

type Prices = Omit<Awaited<ReturnType<typeof spendingOfMessages>>, "spending">;

const partsOf = (message: MessageInput, prices: Prices) => {
  const [first = "", ...others] = [message.to ?? ""].flat();
  const to =
    others.length === 0
      ? hyphenated(first)
      : t`${hyphenated(first)} and ${formatFigure(others.length)} more`;
  const type = detectType(message);
  const limit = typeLimits[isMessageType(type) ? type : "LMS"];
  const size = bodySize(message.text ?? "", limit);
  const sized = limit.unit === "characters" ? formatCharacterCount(size) : formatByteCount(size);
  return linesWithText([
    [labels.toSend, `${formatFigure(others.length + 1)} ${type}`],
    ["size", message.text === undefined ? undefined : sized],
    ["cost", costLine(message, prices)],
    ["to", to],
  ]);
};

/** It is not known in advance whether another is sent in its place. */
const costLine = (message: MessageInput, { price, fallbackPrice }: Prices): string => {
  if (price === undefined) return t`price not known`;
  return fallbackPrice === 0 && mayBeReplaced(message)
    ? t`${formatWon(price)}; more if a fallback message replaces it`
    : formatCost(price, fallbackPrice ?? null);
};

/** A mobile number in Korea as people write it. */
const hyphenated = (number: string): string =>
  number.replace(/^(01\d)(\d{3,4})(\d{4})$/, "$1-$2-$3");
