import { command } from "../../cli/command.ts";
import { getBankAccount, maskedNumber } from "../../contract/payment.ts";
import { t } from "../../locale/locale.ts";
import { isJson } from "../../output/fields.ts";
import { bankText } from "../../payments/banks.ts";

export default command({
  endpoint: getBankAccount,
  columns: [
    { name: "bank", value: (row) => bankText(row.bankCode) },
    { name: "number", value: (row) => row.accountNumber && maskedNumber(row.accountNumber) },
    { name: "holder", value: (row) => row.holderName },
    "dateUpdated",
  ],
  examples: [
    "msg payment bank --sandbox",
    "msg payment bank --json",
    "msg payment bank --fields bank,number",
  ],
  run: async (ctx, _input, _given, defaultRun) => {
    const { record } = await defaultRun();
    if (record.accountNumber === undefined) {
      await ctx.note(t`no bank account is registered; register one: msg payment bank add`);
      if (!isJson(ctx.view)) return { text: "" };
    }
    return { record };
  },
});
