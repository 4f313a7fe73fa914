/** Cards, automatic recharge, the bank account and withdrawals. */

import * as v from "valibot";
import { t } from "../locale/locale.ts";
import { byKey, byOffset, distinct, wholeWon } from "./bounded.ts";
import { endpoint, endpointWith } from "./endpoint.ts";
import { date, dated, id, list, number, secret, text, texts, timestamp } from "./fields.ts";
import { cashRead, cashWrite } from "./needs.ts";

const read = endpointWith({ method: "GET", effect: "safe", needs: cashRead });
const guarded = endpointWith({ effect: "unsafe", needs: cashWrite, secondFactor: true });

const card = v.object({
  /** 0: not used for automatic recharge; otherwise its priority, the lowest first. */
  autoRecharge: v.number(),
  expDate: v.string(),
  _id: v.string(),
  description: v.string(),
  ...dated,
});

export const listPayments = read({
  does: "List the registered cards by priority",
  path: "/cash/v1/payment",
  // An answer without it does not say that a card is gone.
  proof: ["payments"],
  page: { by: "offset", items: "payments" },
  query: { accountId: id("your own account"), ...byOffset },
  reply: v.object({ payments: v.array(card) }),
});

export const addPayment = guarded({
  does: "Register a card",
  method: "POST",
  path: "/cash/v1/payment",
  checkWith: "msg payment list",
  body: v.object({
    cardNumber: secret("card number, 14 to 16 digits"),
    cvc: secret("3 or 4 digits on the back of the card"),
    expYear: number("year of expiry, two or four digits", { required: true }),
    /** The service documents a number; its samples send "01". */
    expMonth: v.pipe(
      v.union([v.number(), v.pipe(v.string(), v.regex(/^\d{1,2}$/, "1 to 12"))]),
      v.description("month of expiry, 1 to 12"),
      v.metadata({ required: true }),
    ),
    description: v.optional(text("a name for the card")),
  }),
  reply: texts("description", "expDate", "paymentId"),
  proof: ["paymentId"],
});

/** The smallest amounts of automatic recharge, in won; those of a new account are 0. */
export const minRecharge = { minimumCash: 200, rechargeTo: 10_000 } as const;

export const orderPayments = endpoint({
  does: "Set the order of the cards and the amounts of automatic recharge",
  method: "PUT",
  path: "/cash/v1/payment",
  effect: "settling",
  needs: cashWrite,
  body: v.object({
    paymentIds: v.pipe(
      list(id("card"), "cards in the order in which they are charged"),
      v.minLength(1),
      distinct(),
    ),
    minimumCash: wholeWon(
      "balance below which a recharge occurs, at least 200 won",
      minRecharge.minimumCash,
    ),
    rechargeTo: v.pipe(
      wholeWon("balance after a recharge, at least 10,000 won", minRecharge.rechargeTo),
      v.maxValue(10_000_000),
    ),
  }),
  reply: v.object({
    paymentIds: v.array(v.string()),
    minimumCash: v.number(),
    rechargeTo: v.number(),
  }),
  proof: ["paymentIds"],
});

export const removePayment = guarded({
  does: "Remove a card",
  method: "DELETE",
  path: "/cash/v1/payment",
  checkWith: "msg payment list",
  body: v.object({ paymentId: id("card to remove") }),
  reply: texts("paymentId", "message"),
  proof: ["paymentId"],
});

export const toggleRecharge = guarded({
  does: "Turn automatic recharge on when it is off, and off when it is on",
  method: "PUT",
  path: "/cash/v1/recharge",
  checkWith: "msg payment auto-recharge",
  reply: v.object({ autoRecharge: v.boolean() }),
  proof: ["autoRecharge"],
});

const brands = [
  ["VISA", /^4/],
  ["MASTERCARD", /^(5[1-5]|2(22[1-9]|2[3-9]|[3-6]|7[01]|720))/],
] as const;

export type Brand = (typeof brands)[number][0];

/** A card number without the spaces and hyphens that people group it with. */
export const cardDigits = (typed: string): string => typed.replaceAll(/[\s-]/g, "");

/** Its brand, or undefined for one that is not accepted. */
export const brandOf = (digits: string): Brand | undefined =>
  brands.find(([, shape]) => shape.test(digits))?.[0];

/** What is wrong with a card number, in words that do not repeat it; undefined if it is valid. */
export const cardProblem = (digits: string): string | undefined => {
  if (!/^\d{14,16}$/.test(digits)) return t`must be 14 to 16 digits`;
  if (!passesLuhn(digits)) return t`is mistyped: its check digit does not fit`;
  return brandOf(digits) === undefined ? t`must be a Visa or MasterCard number` : undefined;
};

/** The check digit of ISO/IEC 7812: doubles every second digit from the right. */
const passesLuhn = (digits: string): boolean => {
  const sum = [...digits].reverse().reduce((total, digit, index) => {
    const value = Number(digit) * (index % 2 === 0 ? 1 : 2);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return sum % 10 === 0;
};

/** The number of a bank account: asterisks, then its last four digits. */
export const maskedNumber = (number: string): string =>
  number.slice(-4).padStart(number.length, "*");

const bankAccount = texts("bankCode", "accountNumber", "holderName");

export const getBankAccount = read({
  does: "Show the bank account for withdrawals",
  path: "/cash/v1/bank/accounts",
  /** `{}` if none is registered. */
  reply: v.partial(v.object({ accountId: v.string(), ...bankAccount.entries, ...dated })),
});

export const addBankAccount = guarded({
  does: "Register the bank account for withdrawals",
  method: "POST",
  path: "/cash/v1/bank/accounts",
  checkWith: "msg payment bank",
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
  reply: v.object({ ...bankAccount.entries, success: v.boolean() }),
  proof: ["success"],
});

export const removeBankAccount = guarded({
  does: "Remove the bank account",
  method: "DELETE",
  path: "/cash/v1/bank/accounts",
  checkWith: "msg payment bank",
  reply: v.object({ n: v.number() }),
  proof: ["n"],
});

export const withdrawal = v.object({
  ...bankAccount.entries,
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
  /** Null until the staff has decided. */
  dateConfirmed: v.nullable(timestamp()),
  ...dated,
});

/** Won: 5 % of the total plus 500, fractions dropped. */
export const withdrawalFee = (totalAmount: number): number => Math.floor(totalAmount / 20) + 500;

export const requestWithdrawal = guarded({
  does: "Request a withdrawal to the bank account",
  method: "POST",
  path: "/cash/v1/withdraw",
  spends: "won",
  checkWith: "msg payment withdraw list --since <since>",
  body: v.object({
    amount: v.pipe(
      wholeWon("total taken from the balance, fee included, 10,000 to 10,000,000 won", 10_000),
      v.maxValue(10_000_000),
    ),
  }),
  reply: withdrawal,
  proof: ["withdrawId"],
});

/** The known states of a withdrawal; no list of the service is published. */
export const withdrawalStatuses = ["PENDING", "APPROVED", "REJECTED"] as const;

export const listWithdrawals = read({
  does: "List withdrawals, newest first",
  path: "/cash/v1/withdraw",
  // Without it an absent payment may still have been made.
  proof: ["data"],
  page: { by: "key", items: "data" },
  query: {
    withdrawId: id("only this withdrawal"),
    status: text("PENDING, APPROVED, REJECTED or another state of the service", {
      offers: withdrawalStatuses,
    }),
    ...byKey,
    startDate: date("requested from this time on", "from"),
    endDate: date("requested up to this time", "until"),
  },
  reply: v.object({ data: v.array(withdrawal), nextKey: v.nullable(v.string()) }),
});
