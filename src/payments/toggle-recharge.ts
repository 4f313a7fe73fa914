/** Automatic recharge on or off: the endpoint is a toggle, so it is called only where the state differs. */
import { getBalance } from "../contract/cash.ts";
import { toggleRecharge } from "../contract/payment.ts";
import { MsgError } from "../errors.ts";
import { formatWon } from "../message/price.ts";
import type { Result } from "../output/view.ts";
import type { Ports } from "../ports.ts";
import { confirm } from "../prompt/confirm.ts";
import { findRechargeCards } from "./cards.ts";

export const setRecharge = async (ctx: Ports, wanted: boolean): Promise<Result> => {
  const client = await ctx.session.client();
  const { autoRecharge, minimumCash, rechargeTo } = await client.call(getBalance, {});
  const word = wanted ? "on" : "off";
  if ((autoRecharge === 1) === wanted) {
    await ctx.note(`automatic recharge is ${word} already: nothing was changed`);
    return { record: { autoRecharge: wanted } };
  }
  // The service would say the same, but only behind a code.
  if (wanted) await findRechargeCards(client);
  const amounts = `below ${formatWon(minimumCash)}, up to ${formatWon(rechargeTo)}`;
  await confirm(ctx, {
    question: wanted ? `Turn automatic recharge on (${amounts})?` : "Turn automatic recharge off?",
  });
  const record = await client.call(toggleRecharge, {});
  return record.autoRecharge === wanted ? { record } : { record, ending: raced(word) };
};

const raced = (word: string): MsgError =>
  new MsgError("refused", `automatic recharge is not ${word}: someone else changed it meanwhile`, {
    code: "ChangedMeanwhile",
    outcome: "done",
    todo: `look at it: msg payment auto-recharge; then run msg payment auto-recharge ${word} again`,
  });
