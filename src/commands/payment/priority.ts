import { command } from "../../cli/command.ts";
import type { Context } from "../../cli/context.ts";
import { getBalance } from "../../contract/cash.ts";
import { id, list } from "../../contract/fields.ts";
import { listPayments, minRecharge, orderPayments } from "../../contract/payment.ts";
import { t } from "../../locale/locale.ts";
import { formatWon } from "../../message/price.ts";
import { assertUnchanged, findCard } from "../../payments/cards.ts";
import { listCards } from "../../reconcile/evidence-table.ts";

const amounts = async ({ session }: Context) => {
  const client = await session.client();
  const { minimumCash, rechargeTo } = await client.call(getBalance, {});
  // A new account has none, and the endpoint takes no 0.
  return minimumCash === 0 && rechargeTo === 0 ? minRecharge : { minimumCash, rechargeTo };
};

export default command({
  endpoint: orderPayments,
  additionalEndpoints: [listPayments, getBalance],
  args: { paymentIds: list(id("card"), "card ids, the first to charge first") },
  hiddenMembers: ["minimumCash", "rechargeTo"],
  columns: [
    { name: "order", value: (row) => row.paymentIds.join(" ") },
    "minimumCash",
    "rechargeTo",
  ],
  examples: [
    "msg payment priority <paymentId> <paymentId>",
    "msg payment priority <paymentId> -y",
    "msg payment priority <paymentId> -n",
  ],
  // The endpoint also replaces the amounts, so the current ones are sent along.
  input: async (ctx, { args }) => ({
    body: { paymentIds: [...args.paymentIds], ...(await amounts(ctx)) },
  }),
  confirm: async (ctx, { body }) => {
    const cards = await listCards(await ctx.session.client());
    const after = body.paymentIds.map((it) => findCard(cards, it).description);
    const before = cards.filter((it) => it.autoRecharge > 0).map((it) => it.description);
    if (body.minimumCash === minRecharge.minimumCash)
      await ctx.note(
        t`automatic recharge, when it is on, fills the balance to ${formatWon(body.rechargeTo)} when it is below ${formatWon(body.minimumCash)}; change that: msg payment auto-recharge set`,
      );
    const until = before.join(", ") || t`none`;
    return { question: t`Charge cards in this order: ${after.join(", ")} (now: ${until})?` };
  },
  run: async (ctx, { body: { minimumCash, rechargeTo } }, _given, defaultRun) => {
    assertUnchanged({ minimumCash, rechargeTo }, await amounts(ctx));
    return defaultRun();
  },
});
