import { command } from "../../cli/command.ts";
import { transferBalance } from "../../contract/cash.ts";
import { id, required } from "../../contract/fields.ts";
import { t } from "../../locale/locale.ts";
import { formatWon } from "../../message/price.ts";
import { againFlag } from "../../payments/cards.ts";

export default command({
  endpoint: transferBalance,
  hiddenMembers: ["targetAccountId", "accountId", "amount"],
  flags: {
    to: required(id("account that receives the money")),
    amount: required(transferBalance.body.entries.amount),
    again: againFlag,
  },
  columns: [{ name: "result", value: (row) => row }],
  examples: [
    "msg balance transfer --to 26010500000002 --amount 10000",
    "msg balance transfer --to 26010500000002 --amount 10000 --confirm 10000 --otp-by voice",
    "msg balance transfer --to 26010500000002 --amount 10000 -n",
  ],
  input: (_ctx, { flags }) => ({ body: { targetAccountId: flags.to, amount: flags.amount } }),
  confirm: (_ctx, { body }) => ({
    question: t`Transfer ${formatWon(body.amount)} to the account ${body.targetAccountId}.`,
    type: String(body.amount),
  }),
});
