/** What the commands of money share: amounts and cards as they are shown. */
import type { CallOptions, Client } from "../client/client.ts";
import type { Context } from "../context.ts";
import type { Row } from "../contract/endpoint.ts";
import { flag } from "../contract/fields.ts";
import { listPayments } from "../contract/payment.ts";
import { MsgError } from "../errors.ts";
import type { Choice } from "./command.ts";

export type Card = Row<typeof listPayments>;

/** `1,000,000 won` */
export const won = (amount: number): string => `${amount.toLocaleString("en-US")} won`;

/** For calls that are another payment each time that they are made. */
export const againFlag = flag("make it although the same one is still in doubt");

/** Every registered card, in the order of the list. */
export const allCards = async (client: Client, call: CallOptions = {}): Promise<Card[]> => {
  const cards: Card[] = [];
  for await (const page of client.pages(listPayments, {}, call)) cards.push(...page.rows);
  return cards;
};

/** The card with this id. Throws missing, before anything is asked or sent. */
export const cardWithId = (cards: readonly Card[], paymentId: string): Card => {
  const card = cards.find((it) => it._id === paymentId);
  if (card) return card;
  throw new MsgError("missing", `there is no card '${paymentId}'`, {
    code: "ResourceNotFound",
    todo: "msg payment list shows the cards",
  });
};

/** The cards that automatic recharge charges, the first one first. Throws missing where there is none. */
export const rechargeCards = async (client: Client): Promise<Card[]> => {
  const cards = (await allCards(client)).filter((it) => it.autoRecharge > 0);
  if (cards.length > 0) return cards.sort((a, b) => a.autoRecharge - b.autoRecharge);
  throw new MsgError("missing", "no card is used for automatic recharge yet", {
    code: "ResourceNotFound",
    todo: "set the order first: msg payment priority <paymentId>",
  });
};

/** The last four digits, which the service's own description shows; of the id where there are none. */
export const lastDigits = ({ description, _id }: Card): string =>
  /^\[\w+\] (\d{4}) /.exec(description)?.[1] ?? _id.slice(-4);

/** The cards as a list to choose from, in the order of their priority. Throws missing where there is none. */
export const cardChoices = async (ctx: Context): Promise<Choice[]> => {
  const cards = await allCards(await ctx.client());
  if (cards.length === 0)
    throw new MsgError("missing", "no card is registered", {
      code: "ResourceNotFound",
      todo: "register one: msg payment add",
    });
  return cards.map(({ _id, description, expDate }) => ({
    value: _id,
    label: `${description}, expires ${expDate}`,
  }));
};
