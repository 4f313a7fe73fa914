/** Automatic recharge on or off: the endpoint is a toggle, so it is called only where the state differs. */

import { getBalance } from "../contract/cash.ts";
import { toggleRecharge } from "../contract/payment.ts";
import { MsgError } from "../errors.ts";
import { t } from "../locale/locale.ts";
import { formatWon } from "../message/price.ts";
import type { Result } from "../output/view.ts";
import type { Ports } from "../ports.ts";
import { confirm } from "../prompt/prompt.ts";
import { findRechargeCards } from "./cards.ts";

export const setRecharge = async (ctx: Ports, wanted: boolean): Promise<Result> => {
  const client = await ctx.session.client();
  const { autoRecharge, minimumCash, rechargeTo } = await client.call(getBalance, {});
  if ((autoRecharge === 1) === wanted) {
    await ctx.note(
      wanted
        ? t`automatic recharge is already on: nothing was changed`
        : t`automatic recharge is already off: nothing was changed`,
    );
    return { record: { autoRecharge: wanted } };
  }
  // The service would say the same, but only behind a code.
  if (wanted) await findRechargeCards(client);
  const amounts = t`below ${formatWon(minimumCash)}, up to ${formatWon(rechargeTo)}`;
  await confirm(ctx, {
    question: wanted
      ? t`Turn automatic recharge on (${amounts})?`
      : t`Turn automatic recharge off?`,
  });
  const record = await client.call(toggleRecharge, {});
  return record.autoRecharge === wanted ? { record } : { record, ending: raced(wanted) };
};

const raced = (wanted: boolean): MsgError => {
  const what = wanted
    ? t`automatic recharge is not on: someone else changed it at the same time`
    : t`automatic recharge is not off: someone else changed it at the same time`;
  const word = wanted ? "on" : "off";
  return new MsgError("refused", what, {
    code: "ChangedMeanwhile",
    outcome: "done",
    todo: t`check it: msg payment auto-recharge; then run msg payment auto-recharge ${word} again`,
  });
};
