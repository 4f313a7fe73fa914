import { command } from "../../cli/command.ts";
import { addPayment } from "../../contract/payment.ts";
import { t } from "../../locale/locale.ts";
import {
  checkedCard,
  cvcProblem,
  maskCard,
  monthProblem,
  numberProblem,
  yearProblem,
} from "../../payments/cards.ts";
import { confirm } from "../../prompt/prompt.ts";

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
    ctx.session.redact(input.body.cardNumber);
    const body = checkedCard(input.body, ctx.clock.now());
    for (const gap of ["", " ", "-"])
      ctx.session.redact(body.cardNumber.replace(/\d{4}(?=\d)/g, `$&${gap}`));
    const type = body.cardNumber.slice(-4);
    await confirm(ctx, { question: t`Register the card ${maskCard(body)}.`, type });
    const client = await ctx.session.client();
    return { record: await client.call(addPayment, { body }) };
  },
});
