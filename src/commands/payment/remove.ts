import { command } from "../../cli/command.ts";
import { id } from "../../contract/fields.ts";
import { listPayments, removePayment } from "../../contract/payment.ts";
import { t } from "../../locale/locale.ts";
import { findCard, lastDigits, listCardChoices } from "../../payments/cards.ts";
import { type Card, listCards } from "../../reconcile/evidence-table.ts";

export default command({
  endpoint: removePayment,
  additionalEndpoints: [listPayments],
  args: { paymentId: id("card to remove; list: msg payment list") },
  questions: { paymentId: { question: "card to remove", choices: listCardChoices } },
  columns: ["paymentId", "message"],
  examples: [
    "msg payment remove <paymentId>",
    "msg payment remove <paymentId> --confirm 1111 --otp-by email",
    "msg payment remove <paymentId> --confirm 1111 --otp-transaction <id> --otp -",
  ],
  confirm: async (ctx, { body }) => {
    const cards = await listCards(await ctx.session.client());
    const card = findCard(cards, body.paymentId);
    const warning = warningOf(card, cards);
    if (warning !== undefined) await ctx.note(warning);
    return { question: t`Remove the card ${card.description}.`, type: lastDigits(card) };
  },
});

/** What automatic recharge loses with the card. */
const warningOf = (card: Card, cards: readonly Card[]): string | undefined => {
  if (card.autoRecharge === 0) return undefined;
  const others = cards.filter((it) => it.autoRecharge > 0 && it._id !== card._id);
  if (others.length === 0)
    return t`this is the last card of automatic recharge; without it automatic recharge stops`;
  return others.every((it) => it.autoRecharge > card.autoRecharge)
    ? t`automatic recharge charges this card first; the next card takes its place`
    : undefined;
};
