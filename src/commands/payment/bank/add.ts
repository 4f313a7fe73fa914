import { command } from "../../../cli/command.ts";
import { addBankAccount, maskedNumber } from "../../../contract/payment.ts";
import { assertFields } from "../../../errors.ts";
import { t } from "../../../locale/locale.ts";
import { banks, bankText } from "../../../payments/banks.ts";
import { confirm } from "../../../prompt/prompt.ts";

const digitsOf = (typed: string): string => typed.replaceAll(/[\s-]/g, "");

const numberProblem = (typed: string): string | undefined =>
  /^\d{7,16}$/.test(digitsOf(typed)) ? undefined : t`the account number must be 7 to 16 digits`;

const codeProblem = (typed: string): string | undefined =>
  /^\d{2,11}$/.test(typed) ? undefined : t`a bank code has only digits, such as 004`;

const holderProblem = (typed: string): string | undefined =>
  typed.trim() !== "" && typed.length <= 50 ? undefined : t`the name must have 1 to 50 characters`;

export default command({
  endpoint: addBankAccount,
  hiddenMembers: ["transactionId"],
  questions: {
    bankCode: {
      choices: Object.keys(banks).map((value) => ({ value, label: bankText(value) ?? value })),
    },
    accountNumber: { check: numberProblem },
    holderName: { check: holderProblem },
  },
  columns: [
    { name: "bank", value: (row) => bankText(row.bankCode) },
    { name: "number", value: (row) => maskedNumber(row.accountNumber) },
    { name: "holder", value: (row) => row.holderName },
  ],
  examples: [
    "msg payment bank add --sandbox",
    "msg payment bank add --bank-code 004 --holder-name '홍길동'",
    "msg payment bank add --input - --confirm 8901 --otp-by email < account.json",
  ],
  run: async (ctx, { body }) => {
    const { accountNumber: given, bankCode, holderName } = body;
    assertFields({
      accountNumber:
        typeof given === "string"
          ? numberProblem(given)
          : t`must be quoted: a number loses its leading zeros`,
      "--bank-code": codeProblem(bankCode),
      "--holder-name": holderProblem(holderName),
    });
    const accountNumber = digitsOf(String(given));
    const place = `${bankText(bankCode)} ${maskedNumber(accountNumber)}, ${holderName}`;
    const type = accountNumber.slice(-4);
    await confirm(ctx, { question: t`Withdraw to ${place} from now on.`, type });
    const client = await ctx.session.client();
    return { record: await client.call(addBankAccount, { body: { ...body, accountNumber } }) };
  },
});
