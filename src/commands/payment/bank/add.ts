import { command } from "../../../cli/command.ts";
import type { Input } from "../../../contract/endpoint.ts";
import { addBankAccount } from "../../../contract/payment.ts";
import { invalidInput, type Problem } from "../../../errors.ts";
import { t } from "../../../locale/locale.ts";
import { banks, bankText, maskedAccount } from "../../../payments/banks.ts";
import { confirm } from "../../../prompt/prompt.ts";

type Body = Input<typeof addBankAccount>["body"];

const digitsOf = (typed: string): string => typed.replaceAll(/[\s-]/g, "");

const numberProblem = (typed: string): string | undefined =>
  /^\d{7,16}$/.test(digitsOf(typed)) ? undefined : t`the account number must be 7 to 16 digits`;

const codeProblem = (typed: string): string | undefined =>
  /^\d{2,11}$/.test(typed) ? undefined : t`a bank code has only digits, such as 004`;

const holderProblem = (typed: string): string | undefined =>
  typed.trim() !== "" && typed.length <= 50 ? undefined : t`the name must have 1 to 50 characters`;

/** As a number the account number would have lost its leading zeros already. */
const problemsOf = ({ accountNumber, bankCode, holderName }: Body): Problem[] =>
  [
    [
      "accountNumber",
      typeof accountNumber === "string"
        ? numberProblem(accountNumber)
        : t`must be quoted: a number loses its leading zeros`,
    ] as const,
    ["--bank-code", codeProblem(bankCode)] as const,
    ["--holder-name", holderProblem(holderName)] as const,
  ].flatMap(([field, text]) => (text === undefined ? [] : [{ code: "InvalidValue", field, text }]));

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
    { name: "number", value: (row) => maskedAccount(row.accountNumber) },
    { name: "holder", value: (row) => row.holderName },
  ],
  examples: [
    "msg payment bank add --sandbox",
    "msg payment bank add --bank-code 004 --holder-name '홍길동'",
    "msg payment bank add --input - --confirm 8901 --otp-by email < account.json",
  ],
  run: async (ctx, { body }) => {
    const problems = problemsOf(body);
    if (problems.length > 0) throw invalidInput(problems);
    const accountNumber = digitsOf(String(body.accountNumber));
    const place = `${bankText(body.bankCode)} ${maskedAccount(accountNumber)}, ${body.holderName}`;
    const type = accountNumber.slice(-4);
    await confirm(ctx, { question: t`Withdraw to ${place} from now on.`, type });
    const client = await ctx.session.client();
    return { record: await client.call(addBankAccount, { body: { ...body, accountNumber } }) };
  },
});
