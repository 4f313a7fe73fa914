import { command } from "../cli/command.ts";
import { getBalance } from "../contract/cash.ts";
import { number } from "../contract/fields.ts";
import { MsgError } from "../errors.ts";
import { t } from "../locale/locale.ts";
import { formatWon } from "../message/price.ts";

export default command({
  endpoint: getBalance,
  exits: [7],
  flags: { failBelow: number("exit 7 when the balance is below this amount", { unit: "won" }) },
  columns: [
    "balance",
    "point",
    { name: "autoRecharge", value: (row) => ["off", "on"][row.autoRecharge] },
    "minimumCash",
    "rechargeTo",
    {
      name: "alert",
      value: (row) =>
        row.lowBalanceAlert.enabled === false ? "off" : row.lowBalanceAlert.balances.join(", "),
    },
  ],
  examples: [
    "msg balance --sandbox",
    "msg balance --json --fields balance,point",
    "msg balance --fail-below 100000 -q",
  ],
  run: async (_ctx, _input, { flags }, defaultRun) => {
    const { record } = await defaultRun();
    const { balance } = record;
    if (flags.failBelow === undefined || balance >= flags.failBelow) return { record };
    const text = t`the balance is ${formatWon(balance)}, below ${formatWon(flags.failBelow)}`;
    const ending = new MsgError("stopped", text, {
      code: "BalanceBelow",
      outcome: "done",
      todo: t`top up the balance: msg balance charge <won> --payment <paymentId>`,
    });
    return { record, ending };
  },
});
