/** What to look for if a call gets no answer: read before the call, for each endpoint. */
import * as v from "valibot";
import type { Client } from "../client/client.ts";
import {
  changeAlert,
  chargeBalance,
  getBalance,
  listHistory,
  switchAlert,
  transferBalance,
} from "../contract/cash.ts";
import type { Endpoint } from "../contract/endpoint.ts";
import {
  addBankAccount,
  addPayment,
  getBankAccount,
  listWithdrawals,
  removeBankAccount,
  removePayment,
  requestWithdrawal,
  toggleRecharge,
} from "../contract/payment.ts";
import { fullYear } from "../contract/time.ts";
import {
  agreedOn,
  type Evidence,
  listCards,
  movementQuery,
  type Payment,
} from "./payment-evidence.ts";

/** Reads the state before the call; the body is checked already. */
type Capture = (client: Client, body: unknown) => Promise<Evidence>;

const nameOf = ({ method, path }: Endpoint): string => `${method} ${path}`;

const payments: Readonly<Record<string, (body: unknown) => Payment>> = {
  [nameOf(chargeBalance)]: (body) => {
    const { amount } = v.parse(chargeBalance.body, body);
    return { in: "charges", amount };
  },
  [nameOf(transferBalance)]: (body) => {
    const { amount, targetAccountId: to } = v.parse(transferBalance.body, body);
    return { in: "transfers", amount, to };
  },
  [nameOf(requestWithdrawal)]: (body) => {
    const { amount } = v.parse(requestWithdrawal.body, body);
    return { in: "withdrawals", amount };
  },
};

/** The payment that a call makes; undefined for one that moves no money. */
export const paymentOf = (endpoint: Endpoint, body: unknown): Payment | undefined =>
  payments[nameOf(endpoint)]?.(body);

const captures: Readonly<Record<string, Capture>> = {
  [nameOf(addPayment)]: async (client, body) => {
    const { expYear, expMonth } = v.parse(addPayment.body, body);
    const expires = `${fullYear(expYear)}/${String(expMonth).padStart(2, "0")}`;
    const known = (await listCards(client)).map((it) => it._id);
    return { in: "new card", known, expires };
  },
  [nameOf(removePayment)]: async (_client, body) => {
    const { paymentId } = v.parse(removePayment.body, body);
    return { in: "removed card", paymentId };
  },
  [nameOf(toggleRecharge)]: async (client) => {
    const { autoRecharge } = await client.call(getBalance, {});
    return { in: "recharge", on: autoRecharge !== 1 };
  },
  [nameOf(changeAlert)]: async (_client, body) => {
    const { balances, channels } = v.parse(changeAlert.body, body);
    return { in: "alert", balances, channels };
  },
  [nameOf(switchAlert)]: async (_client, body) => {
    const { enabled } = v.parse(switchAlert.body, body);
    return { in: "alert switch", enabled };
  },
  [nameOf(addBankAccount)]: async (client, body) => {
    const { accountNumber, bankCode, holderName } = v.parse(addBankAccount.body, body);
    const { dateUpdated = null } = await client.call(getBankAccount, {});
    const lastDigits = String(accountNumber).slice(-4);
    return { in: "bank account", bankCode, lastDigits, holderName, updated: dateUpdated };
  },
  [nameOf(removeBankAccount)]: async () => ({ in: "no bank account" }),
};

/** Undefined if the call leaves nothing. Throws MsgError, also if no two reads of the account agree. */
export const captureEvidence = (
  client: Client,
  endpoint: Endpoint,
  body: unknown,
): Promise<Evidence | undefined> =>
  agreedOn(async () => {
    const payment = paymentOf(endpoint, body);
    if (!payment) return captures[nameOf(endpoint)]?.(client, body);
    if (payment.in === "withdrawals") {
      const { data } = await client.call(listWithdrawals, { query: { limit: 1 } });
      return { ...payment, after: data[0]?.withdrawId ?? null };
    }
    const { query } = movementQuery(payment);
    const [last] = await client.call(listHistory, { query: { ...query, limit: 1 } });
    return { ...payment, after: last?.historyId ?? null };
  });
