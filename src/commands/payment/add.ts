import { command } from "../../cli/command.ts";
import { addPayment } from "../../contract/payment.ts";
import {
  checkedCard,
  cvcProblem,
  masked,
  monthProblem,
  numberProblem,
  yearProblem,
} from "../../payments/card.ts";
import { confirm } from "../../prompt/confirm.ts";

export default command({
  endpoint: addPayment,
  questions: {
    cardNumber: { check: numberProblem },
    cvc: { check: cvcProblem },
    expYear: { check: yearProblem },
    expMonth: { check: monthProblem },
  },
  columns: ["paymentId", "description", "expDate"],
  examples: [
    "msg payment add --sandbox",
    "msg payment add --input - --confirm 1111 --otp-by email < card.json",
    "msg payment add --input - --confirm 1111 --otp-transaction <id> --otp @code.txt < card.json",
  ],
  run: async (ctx, input) => {
    ctx.hide(input.body.cardNumber);
    const body = checkedCard(input.body, ctx.now());
    ctx.hide(body.cardNumber);
    const type = body.cardNumber.slice(-4);
    await confirm(ctx, { question: `Register the card ${masked(body)}.`, type });
    const client = await ctx.client();
    return { record: await client.call(addPayment, { body }) };
  },
});
