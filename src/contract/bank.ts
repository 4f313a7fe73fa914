/** Bank account and withdrawals. */

import * as v from "valibot";
import { t } from "../locale/locale.ts";
import { endpoint, get } from "./endpoint.ts";
import { byKey, choice, date, dated, id, money, secret, text, timestamp } from "./fields.ts";
import { cashRead, cashWrite } from "./needs.ts";

export const getBankAccount = get({
  does: "Show the bank account that withdrawals go to",
  path: "/cash/v1/bank/accounts",
  needs: cashRead,
  /** `{}` where none is registered. */
  reply: v.object({
    accountId: v.optional(v.string()),
    bankCode: v.optional(v.string()),
    accountNumber: v.optional(v.string()),
    holderName: v.optional(v.string()),
    dateCreated: v.optional(timestamp()),
    dateUpdated: v.optional(timestamp()),
  }),
});

export const addBankAccount = endpoint({
  does: "Register the bank account that withdrawals go to",
  method: "POST",
  path: "/cash/v1/bank/accounts",
  effect: "unsafe",
  checkWith: "msg payment bank",
  needs: cashWrite,
  secondFactor: true,
  body: v.object({
    /** The service documents a number and shows a text: a number would lose leading zeros. */
    accountNumber: v.pipe(
      v.union([v.string(), v.number()]),
      v.description("account number, 7 to 16 digits"),
      v.metadata({ kind: "secret" }),
    ),
    bankCode: text("code of the bank, such as 004", { required: true }),
    holderName: text("name of the holder", { required: true }),
    transactionId: v.optional(id("id of the started second factor")),
    authenticationCode: v.optional(secret("code of the second factor")),
  }),
  reply: v.object({
    accountNumber: v.string(),
    bankCode: v.string(),
    holderName: v.string(),
    success: v.boolean(),
  }),
  proof: ["success"],
});

export const removeBankAccount = endpoint({
  does: "Remove the bank account",
  method: "DELETE",
  path: "/cash/v1/bank/accounts",
  effect: "unsafe",
  checkWith: "msg payment bank",
  needs: cashWrite,
  secondFactor: true,
  reply: v.object({ n: v.number() }),
  proof: ["n"],
});

/** One withdrawal. */
export const withdrawal = v.object({
  bankCode: v.string(),
  accountNumber: v.string(),
  holderName: v.string(),
  status: v.string(),
  isProcessing: v.boolean(),
  confirmedCount: v.number(),
  memo: v.nullable(v.string()),
  transactionId: v.nullable(v.string()),
  transactionDate: v.nullable(v.string()),
  accountId: v.string(),
  amount: v.number(),
  fee: v.number(),
  totalAmount: v.number(),
  withdrawId: v.string(),
  /** Null until the staff decided. */
  dateConfirmed: v.nullable(timestamp()),
  ...dated,
});

/** Won: 5 % of the total and 500, fractions dropped. */
export const withdrawalFee = (totalAmount: number): number => Math.floor(totalAmount / 20) + 500;

export const requestWithdrawal = endpoint({
  does: "Request a withdrawal to the bank account",
  method: "POST",
  path: "/cash/v1/withdraw",
  effect: "unsafe",
  spends: "won",
  checkWith: "msg payment withdraw list --since <since>",
  needs: cashWrite,
  secondFactor: true,
  body: v.object({
    amount: v.pipe(
      money("total taken from the balance, fee included, 10,000 to 10,000,000 won"),
      v.integer(() => t`must be a whole number`),
      v.minValue(10_000),
      v.maxValue(10_000_000),
    ),
  }),
  reply: withdrawal,
  proof: ["withdrawId"],
});

export const listWithdrawals = get({
  does: "List withdrawals, newest first",
  path: "/cash/v1/withdraw",
  needs: cashRead,
  // What is not in an answer without it may have been paid all the same.
  proof: ["data"],
  page: { by: "key", items: "data" },
  query: {
    withdrawId: id("only this withdrawal"),
    status: choice(["PENDING", "APPROVED", "REJECTED"], "only withdrawals in this state"),
    ...byKey,
    startDate: date("requested from this time on", "from"),
    endDate: date("requested up to this time", "until"),
  },
  reply: v.object({ data: v.array(withdrawal), nextKey: v.nullable(v.string()) }),
});
