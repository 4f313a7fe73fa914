import { command } from "../../../cli/command.ts";
import { getBankAccount, requestWithdrawal, withdrawalFee } from "../../../contract/payment.ts";
import { t } from "../../../locale/locale.ts";
import { formatWon } from "../../../message/price.ts";
import { readBankAccount } from "../../../payments/banks.ts";
import { againFlag } from "../../../payments/cards.ts";
import { withdrawalColumns } from "./list.ts";

export default command({
  endpoint: requestWithdrawal,
  additionalEndpoints: [getBankAccount],
  flags: { again: againFlag },
  columns: withdrawalColumns,
  examples: [
    "msg payment withdraw request --amount 20000",
    "msg payment withdraw request --amount 20000 --confirm 20000 --otp-by email",
    "msg payment withdraw request --amount 20000 -n",
  ],
  confirm: async (ctx, { body: { amount } }) => {
    const { place } = await readBankAccount(ctx, t`register one: msg payment bank add`);
    const fee = withdrawalFee(amount);
    const question = t`Withdraw ${formatWon(amount)}: fee ${formatWon(fee)}, ${formatWon(amount - fee)} to ${place}.`;
    return { question, type: String(amount) };
  },
});
