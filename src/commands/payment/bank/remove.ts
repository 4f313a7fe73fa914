import { command } from "../../../cli/command.ts";
import { shapedReply } from "../../../client/codec.ts";
import { getBankAccount, removeBankAccount } from "../../../contract/payment.ts";
import { notFound } from "../../../errors.ts";
import { t } from "../../../locale/locale.ts";
import { bankText } from "../../../payments/banks.ts";

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
    const client = await ctx.session.client();
    const account = shapedReply(getBankAccount, await client.call(getBankAccount, {}));
    const { accountNumber, bankCode = "", holderName = "" } = account;
    if (accountNumber === undefined) throw nothing();
    return {
      question: t`Remove the bank account ${bankText(bankCode) ?? ""} ${accountNumber}, ${holderName}.`,
      type: accountNumber.slice(-4),
    };
  },
  run: async (_ctx, _input, _given, defaultRun) => {
    const { record } = await defaultRun();
    return record.n > 0 ? { record } : { record, ending: nothing() };
  },
});

const nothing = () =>
  notFound(
    t`no bank account is registered`,
    t`nothing was changed; register one: msg payment bank add`,
  );
