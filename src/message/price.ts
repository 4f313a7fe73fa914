/** What messages cost: counts per country and type times unit prices, exact to the won. */

import * as v from "valibot";
import type { Price } from "../contract/account.ts";
import {
  type MessageInput,
  messageInput,
  type TypeKey,
  typeKey,
  typeKeys,
} from "../contract/message-records.ts";
import { t } from "../locale/locale.ts";
import { detectType, isMessageType, mayBeReplaced, replacementsOf } from "./type.ts";

/** Recipients per country and type. */
export type Counts = ReadonlyMap<string, ReadonlyMap<TypeKey, number>>;
/** Unit prices by country code, in won. */
export type Prices = Readonly<Record<string, Price>>;

/** Unit prices may hold fractions; sums are computed in these parts of a won, so they are exact. */
const parts = 10_000;

export type Tally = Map<string, Map<TypeKey, number>>;

/** Counts the recipients of a message, or of several equal ones, without types that are not charged. */
export const tally = (counts: Tally, message: MessageInput, times = 1): void => {
  const type = detectType(message);
  if (!isMessageType(type)) return;
  const country = message.country || "82";
  const row = counts.get(country) ?? new Map<TypeKey, number>();
  const recipients = times * (Array.isArray(message.to) ? message.to.length : 1);
  row.set(typeKey(type), (row.get(typeKey(type)) ?? 0) + recipients);
  counts.set(country, row);
};

/** Counts what may replace a message, or several equal ones, as far as it is known. */
export const tallyFallback = (counts: Tally, message: MessageInput, times = 1): void => {
  for (const it of fallbacksOf(message)) tally(counts, it, times);
};

/**
 * What may replace a message: its own replacements, each in case those before it fail, or else the SMS or LMS of a
 * Kakao message. None if its text comes from a template, which only the service fills.
 */
export const fallbacksOf = (message: MessageInput): readonly MessageInput[] => {
  if (!mayBeReplaced(message)) return [];
  const { to, country, subject, replacementText, text } = message;
  const replacements = replacementsOf(message).flatMap((it) => {
    const read = v.safeParse(messageInput, it);
    return read.success ? [{ country, ...read.output, to }] : [];
  });
  if (replacements.length > 0) return replacements;
  const own = replacementText || text;
  return own ? [{ to, country, subject, text: own }] : [];
};

/** The sum of amounts in won, fractions of a won included. */
export const sumOf = (amounts: readonly number[]): number =>
  amounts.reduce((sum, amount) => sum + Math.round(amount * parts), 0) / parts;

/** The price in won of what was counted; undefined if a unit price is not known. */
export const priceOf = (counts: Counts, prices: Prices): number | undefined => {
  let sum = 0;
  for (const [country, row] of counts) {
    const price = prices[country];
    for (const key of typeKeys) {
      const count = row.get(key);
      if (count === undefined) continue;
      // The service may answer anything; a missing price would pass any ceiling.
      const unit: unknown = price?.[key];
      if (typeof unit !== "number" || unit < 0) return undefined;
      sum += Math.round(unit * parts) * count;
    }
  }
  return sum / parts;
};

/** The price in won of these messages; undefined if a unit price is not known. */
export const totalPrice = (
  messages: Iterable<MessageInput>,
  prices: Prices,
): number | undefined => {
  const counts: Tally = new Map();
  for (const message of messages) tally(counts, message);
  return priceOf(counts, prices);
};

/** Groups the digits in threes: `1,000,000`. */
export const formatFigure = (value: number): string =>
  value.toLocaleString("en-US", { maximumFractionDigits: 4 });

/** `1,000,000 won` */
export const formatWon = (amount: number): string => t`${formatFigure(amount)} won`;

/** `38 won, plus up to 40 won for fallback messages` */
export const formatCost = (price: number, fallbackPrice: number | null = 0): string => {
  const won = formatWon(price);
  if (fallbackPrice === null) return t`${won}; fallback messages not included`;
  return fallbackPrice > 0
    ? t`${won}, plus up to ${formatWon(fallbackPrice)} for fallback messages`
    : won;
};

/** What is said after a cost of messages that others may replace at a price that is not known. */
export const formatReplaceable = (count: number): string =>
  count === 0 ? "" : t`; fallback messages for ${formatMessageCount(count)} not included`;

/** Recipients by type, over all countries: `{ SMS: 2 }`. */
export const totalTypes = (counts: Counts): Readonly<Record<string, number>> => {
  const sums: Record<string, number> = {};
  for (const row of counts.values())
    for (const [key, count] of row)
      sums[key.toUpperCase()] = (sums[key.toUpperCase()] ?? 0) + count;
  return sums;
};

export const formatMessageCount = (count: number): string =>
  count === 1 ? t`1 message` : t`${formatFigure(count)} messages`;

export const formatRowCount = (count: number): string =>
  count === 1 ? t`1 row` : t`${formatFigure(count)} rows`;

export const formatByteCount = (count: number): string =>
  count === 1 ? t`1 byte` : t`${formatFigure(count)} bytes`;

export const formatCharacterCount = (count: number): string =>
  count === 1 ? t`1 character` : t`${formatFigure(count)} characters`;

/** `1 of 3 messages was refused`. */
export const formatRefusedCount = (refused: number, total: number): string =>
  refused === 1
    ? t`${formatFigure(refused)} of ${formatMessageCount(total)} was refused`
    : t`${formatFigure(refused)} of ${formatMessageCount(total)} were refused`;
