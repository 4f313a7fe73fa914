import { command } from "../../../cli/command.ts";
import type { Context } from "../../../cli/context.ts";
import { required } from "../../../contract/fields.ts";
import { listPayments, orderPayments } from "../../../contract/payment.ts";
import { usageError } from "../../../errors.ts";
import { t } from "../../../locale/locale.ts";
import { formatWon } from "../../../message/price.ts";
import { assertUnchanged, findRechargeCards } from "../../../payments/cards.ts";

const order = async ({ session }: Context): Promise<string[]> =>
  (await findRechargeCards(await session.client())).map((it) => it._id);

export default command({
  endpoint: orderPayments,
  additionalEndpoints: [listPayments],
  hiddenMembers: ["paymentIds", "minimumCash", "rechargeTo"],
  flags: {
    below: required(orderPayments.body.entries.minimumCash),
    to: required(orderPayments.body.entries.rechargeTo),
  },
  columns: [
    "minimumCash",
    "rechargeTo",
    { name: "order", value: (row) => row.paymentIds.join(" ") },
  ],
  examples: [
    "msg payment auto-recharge set --below 3000 --to 50000",
    "msg payment auto-recharge set --below 3000 --to 50000 --confirm 50000",
    "msg payment auto-recharge set --below 3000 --to 50000 -n",
  ],
  // The endpoint also replaces the order of the cards, so the current order is sent along.
  input: async (ctx, { flags }) => {
    if (flags.to <= flags.below) throw usageError(t`--to must be above --below`);
    const paymentIds = await order(ctx);
    return { body: { paymentIds, minimumCash: flags.below, rechargeTo: flags.to } };
  },
  confirm: (_ctx, { body }) => ({
    question: t`Recharge to ${formatWon(body.rechargeTo)} when the balance is below ${formatWon(body.minimumCash)}.`,
    type: String(body.rechargeTo),
  }),
  run: async (ctx, { body }, _given, defaultRun) => {
    assertUnchanged(body.paymentIds, await order(ctx));
    return defaultRun();
  },
});
