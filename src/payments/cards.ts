/** What the commands of money share: amounts and cards as they are shown. */
import type { Client } from "../client/client.ts";
import { flag } from "../contract/fields.ts";
import { MsgError } from "../errors.ts";
import type { Ports } from "../ports.ts";
import type { Choice } from "../prompt/ask.ts";
import type { Card } from "../reconcile/evidence/payment-evidence.ts";
import { listCards } from "../reconcile/evidence/payment-evidence.ts";

/** For calls that are another payment each time that they are made. */
export const againFlag = flag("make it although the same one is still in doubt");

/** The card with this id. Throws missing, before anything is asked or sent. */
export const findCard = (cards: readonly Card[], paymentId: string): Card => {
  const card = cards.find((it) => it._id === paymentId);
  if (card) return card;
  throw new MsgError("missing", `there is no card '${paymentId}'`, {
    code: "ResourceNotFound",
    todo: "msg payment list shows the cards",
  });
};

/** The cards that automatic recharge charges, the first one first. Throws missing where there is none. */
export const findRechargeCards = async (client: Client): Promise<Card[]> => {
  const cards = (await listCards(client)).filter((it) => it.autoRecharge > 0);
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
export const listCardChoices = async (ctx: Ports): Promise<Choice[]> => {
  const cards = await listCards(await ctx.session.client());
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
