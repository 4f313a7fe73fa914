import { command } from "../../cli/command.ts";
import { chargeBalance } from "../../contract/cash.ts";
import { id, required } from "../../contract/fields.ts";
import { listPayments } from "../../contract/payment.ts";
import { t } from "../../locale/locale.ts";
import { formatWon } from "../../message/price.ts";
import { againFlag, findCard, listCardChoices } from "../../payments/cards.ts";
import { listCards } from "../../reconcile/evidence-table.ts";

export default command({
  endpoint: chargeBalance,
  additionalEndpoints: [listPayments],
  args: { amount: chargeBalance.body.entries.amount },
  hiddenMembers: ["paymentId"],
  flags: {
    payment: required(id("card to charge; list: msg payment list")),
    again: againFlag,
  },
  questions: { payment: { question: "card to charge", choices: listCardChoices } },
  columns: ["historyId", "balanceAmount", "oldBalance", "newBalance", "type"],
  examples: [
    "msg balance charge 50000 --payment <paymentId>",
    "msg balance charge 50000 --payment <paymentId> --confirm 50000 --otp-by email",
    "msg balance charge 50000 --payment <paymentId> -n",
  ],
  input: (_ctx, { args, flags }) => ({ body: { amount: args.amount, paymentId: flags.payment } }),
  confirm: async (ctx, { body: { amount, paymentId } }) => {
    const card = findCard(await listCards(await ctx.session.client()), paymentId);
    return {
      question: t`Charge ${formatWon(amount)} to ${card.description}.`,
      type: String(amount),
    };
  },
});
