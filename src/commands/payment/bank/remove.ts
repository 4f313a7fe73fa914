import { command } from "../../../cli/command.ts";
import { getBankAccount, removeBankAccount } from "../../../contract/payment.ts";
import { t } from "../../../locale/locale.ts";
import { noBankAccountError, readBankAccount } from "../../../payments/banks.ts";

export default command({
  endpoint: removeBankAccount,
  additionalEndpoints: [getBankAccount],
  columns: ["n"],
  examples: [
    "msg payment bank remove",
    "msg payment bank remove --confirm 8901 --otp-by voice",
    "msg payment bank remove -n",
  ],
  confirm: async (ctx) => {
    const { accountNumber, place } = await readBankAccount(ctx, nothingToRemove());
    return { question: t`Remove the bank account ${place}.`, type: accountNumber.slice(-4) };
  },
  run: async (_ctx, _input, _given, defaultRun) => {
    const { record } = await defaultRun();
    return record.n > 0 ? { record } : { record, ending: noBankAccountError(nothingToRemove()) };
  },
});

const nothingToRemove = () => t`nothing was changed; register one: msg payment bank add`;
