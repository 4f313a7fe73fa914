import { command } from "../../cli/command.ts";
import { chargeBalance } from "../../contract/cash.ts";
import { id, required } from "../../contract/fields.ts";
import { listPayments } from "../../contract/payment.ts";
import { won } from "../../message/price.ts";
import { againFlag, cardChoices, cardWithId } from "../../payments/cards.ts";
import { confirm } from "../../prompt/confirm.ts";
import { allCards } from "../../reconcile/evidence/payment-evidence.ts";

export default command({
  endpoint: chargeBalance,
  also: [listPayments],
  args: { amount: chargeBalance.body.entries.amount },
  hide: ["paymentId"],
  flags: {
    payment: required(id("card to charge; msg payment list shows the cards")),
    again: againFlag,
  },
  questions: { payment: { choices: cardChoices } },
  columns: ["historyId", "balanceAmount", "oldBalance", "newBalance", "type"],
  examples: [
    "msg balance charge 50000 --payment <paymentId>",
    "msg balance charge 50000 --payment <paymentId> --confirm 50000 --otp-by email",
    "msg balance charge 50000 --payment <paymentId> -n",
  ],
  input: (_ctx, { args, flags }) => ({ body: { amount: args.amount, paymentId: flags.payment } }),
  run: async (ctx, { body }, _given, usual) => {
    const card = cardWithId(await allCards(await ctx.client()), body.paymentId);
    const type = String(body.amount);
    await confirm(ctx, { question: `Charge ${won(body.amount)} to ${card.description}.`, type });
    return usual();
  },
});
