import { command } from "../../../cli/command.ts";
import type { Context } from "../../../cli/context.ts";
import { getBalance } from "../../../contract/cash.ts";
import { listPayments, toggleRecharge } from "../../../contract/payment.ts";
import { MsgError } from "../../../errors.ts";
import { t } from "../../../locale/locale.ts";
import { formatWon } from "../../../message/price.ts";
import type { Result } from "../../../output/view.ts";
import { findRechargeCards } from "../../../payments/cards.ts";
import { confirm } from "../../../prompt/prompt.ts";

type Word = "on" | "off";

export const rechargeSwitch = (word: Word) =>
  command({
    endpoint: toggleRecharge,
    additionalEndpoints: word === "on" ? [getBalance, listPayments] : [getBalance],
    columns: ["autoRecharge"],
    examples: [
      `msg payment auto-recharge ${word}`,
      `msg payment auto-recharge ${word} -y --otp-by email`,
      `msg payment auto-recharge ${word} -n`,
    ],
    run: (ctx) => setRecharge(ctx, word),
  });

/** The endpoint is a toggle, so it is called only if the state differs. */
const setRecharge = async (ctx: Context, word: Word): Promise<Result> => {
  const wanted = word === "on";
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
  // The service would say the same, but only after a code.
  if (wanted) await findRechargeCards(client);
  const amounts = t`below ${formatWon(minimumCash)}, up to ${formatWon(rechargeTo)}`;
  await confirm(ctx, {
    question: wanted
      ? t`Turn automatic recharge on (${amounts})?`
      : t`Turn automatic recharge off?`,
  });
  const answered = await client.call(toggleRecharge, {});
  // A copy of the call, as a gateway may make one, undoes it; and the answer may be that to another request.
  const now = await client.call(getBalance, {}).catch(() => undefined);
  const record = { autoRecharge: now ? now.autoRecharge === 1 : answered.autoRecharge };
  return record.autoRecharge === wanted ? { record } : { record, ending: raced(word) };
};

const raced = (word: Word): MsgError => {
  const what =
    word === "on"
      ? t`automatic recharge is not on: someone else changed it at the same time`
      : t`automatic recharge is not off: someone else changed it at the same time`;
  return new MsgError("refused", what, {
    code: "ChangedMeanwhile",
    outcome: "done",
    todo: t`check it: msg payment auto-recharge; then run msg payment auto-recharge ${word} again`,
  });
};

export default rechargeSwitch("on");
