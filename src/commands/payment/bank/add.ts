import { addBankAccount } from "../../../contract/bank.ts";
import { command } from "../../command.ts";
import { confirm } from "../../line/confirm.ts";
import { invalid } from "../../line/flags.ts";
import { banks, bankText, maskedAccount } from "../banks.ts";

const digitsOf = (typed: string): string => typed.replaceAll(/[\s-]/g, "");

const numberProblem = (typed: string): string | undefined =>
  /^\d{7,16}$/.test(digitsOf(typed)) ? undefined : "the account number must be 7 to 16 digits";

export default command({
  endpoint: addBankAccount,
  hide: ["transactionId"],
  questions: {
    bankCode: {
      choices: Object.keys(banks).map((value) => ({ value, label: bankText(value) ?? value })),
    },
    accountNumber: { check: numberProblem },
  },
  columns: [
    { name: "bank", value: (row) => bankText(row.bankCode) },
    { name: "number", value: (row) => maskedAccount(row.accountNumber) },
    { name: "holder", value: (row) => row.holderName },
  ],
  examples: [
    "msg payment bank add --sandbox",
    "msg payment bank add --bank-code 004 --holder-name '홍길동'",
    "msg payment bank add --input - --confirm 8901 --otp-by email < account.json",
  ],
  run: async (ctx, { body }) => {
    // As a number it would have lost its leading zeros already.
    const number = typeof body.accountNumber === "string" ? body.accountNumber : "";
    const problem =
      typeof body.accountNumber === "string"
        ? numberProblem(number)
        : "must stand in quotes: as a number it loses leading zeros";
    if (problem !== undefined)
      throw invalid([{ code: "InvalidValue", field: "accountNumber", text: problem }]);
    const accountNumber = digitsOf(number);
    const place = `${bankText(body.bankCode)} ${maskedAccount(accountNumber)}, ${body.holderName}`;
    const type = accountNumber.slice(-4);
    await confirm(ctx, { question: `Withdraw to ${place} from now on.`, type });
    const client = await ctx.client();
    return { record: await client.call(addBankAccount, { body: { ...body, accountNumber } }) };
  },
});
