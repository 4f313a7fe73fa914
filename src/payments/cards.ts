/** Cards: typed card data, checked without repeating it, and the registered cards to choose from. */

import { isDeepStrictEqual } from "node:util";
import type { Client } from "../client/client.ts";
import type { Input } from "../contract/endpoint.ts";
import { flag } from "../contract/fields.ts";
import { type addPayment, brandOf, cardDigits, cardProblem } from "../contract/payment.ts";
import { endOfMonth, fullYear } from "../contract/time.ts";
import { assertFields, MsgError, notFound } from "../errors.ts";
import { t } from "../locale/locale.ts";
import type { Ports } from "../ports.ts";
import type { Choice } from "../prompt/questions.ts";
import { type Card, listCards } from "../reconcile/evidence-table.ts";

/** For calls that make another payment each time. */
export const againFlag = flag(
  "make this call although the outcome of the same one is still unknown",
);

/** The card with this id. Throws missing, before anything is asked or sent. */
export const findCard = (cards: readonly Card[], paymentId: string): Card => {
  const card = cards.find((it) => it._id === paymentId);
  if (card) return card;
  throw notFound(t`there is no card '${paymentId}'`, t`msg payment list shows the cards`);
};

/** The cards that automatic recharge charges, in order. Throws missing if there is none. */
export const findRechargeCards = async (client: Client): Promise<Card[]> => {
  const cards = await listCards(client);
  const charged = cards.filter((it) => it.autoRecharge > 0);
  if (charged.length > 0) return charged.sort((a, b) => a.autoRecharge - b.autoRecharge);
  throw notFound(
    t`no card is used for automatic recharge yet`,
    cards.length === 0
      ? t`register one: msg payment add`
      : t`set the order first: msg payment priority <paymentId>`,
  );
};

/** Throws MsgError (stopped) if someone has changed, since the question, what a call sends along unchanged. */
export const assertUnchanged = <T>(asked: T, now: T): void => {
  if (isDeepStrictEqual(asked, now)) return;
  throw new MsgError("stopped", t`someone else changed automatic recharge since it was asked`, {
    code: "ChangedMeanwhile",
    outcome: "not_sent",
    todo: t`nothing was changed now; see what is set: msg payment auto-recharge, msg payment list; then run it again`,
  });
};

/** The last four digits, which the service's own description shows; or of the id if there are none. */
export const lastDigits = ({ description, _id }: Card): string =>
  /^\[\w+\] (\d{4}) /.exec(description)?.[1] ?? _id.slice(-4);

/** The cards as a list to choose from, in the order of their priority. Throws missing if there is none. */
export const listCardChoices = async (ctx: Ports): Promise<Choice[]> => {
  const cards = await listCards(await ctx.session.client());
  if (cards.length === 0)
    throw notFound(t`no card is registered`, t`register one: msg payment add`);
  return cards.map(({ _id, description, expDate }) => ({
    value: _id,
    label: t`${description}, expires ${expDate}`,
  }));
};

type Body = Input<typeof addPayment>["body"];

export const numberProblem = (typed: string): string | undefined => {
  const problem = cardProblem(cardDigits(typed));
  return problem === undefined ? undefined : t`the card number ${problem}`;
};

export const cvcProblem = (typed: string): string | undefined =>
  /^\d{3,4}$/.test(typed.trim()) ? undefined : t`the cvc must be 3 or 4 digits`;

export const yearProblem = (typed: string): string | undefined =>
  /^(20)?\d{2}$/.test(typed.trim()) ? undefined : t`the year of expiry must be two or four digits`;

export const monthProblem = (typed: string): string | undefined =>
  /^(0?[1-9]|1[0-2])$/.test(typed.trim()) ? undefined : t`the month of expiry must be 1 to 12`;

/** The body as it is sent: digits only, the year in four digits. Throws usage. */
export const checkedCard = (body: Body, now: Date): Body => {
  const year = fullYear(body.expYear);
  const month = Number(body.expMonth);
  assertFields({
    cardNumber: numberProblem(body.cardNumber),
    cvc: cvcProblem(body.cvc),
    "--exp-year, --exp-month": expiryProblem(year, month, now),
  });
  return {
    ...body,
    cardNumber: cardDigits(body.cardNumber),
    cvc: body.cvc.trim(),
    expYear: year,
    expMonth: month,
  };
};

const expiryProblem = (year: number, month: number, now: Date): string | undefined => {
  const problem = yearProblem(String(year)) ?? monthProblem(String(month));
  if (problem !== undefined) return problem;
  return now.getTime() >= endOfMonth(year, month) ? t`the card has expired` : undefined;
};

/** `VISA ************1111, 05/2029` */
export const maskCard = ({ cardNumber, expYear, expMonth }: Body): string => {
  const digits = cardNumber.slice(-4).padStart(cardNumber.length, "*");
  return `${brandOf(cardNumber) ?? t`card`} ${digits}, ${String(expMonth).padStart(2, "0")}/${expYear}`;
};
