/** One row for each endpoint with a second factor: what a call leaves at the service, and how that is found. */

import * as v from "valibot";
import type { Client } from "../client/client.ts";
import {
  changeAlert,
  chargeBalance,
  getAlert,
  getBalance,
  listHistory,
  switchAlert,
  transferBalance,
} from "../contract/cash.ts";
import type { Endpoint, Row } from "../contract/endpoint.ts";
import {
  addBankAccount,
  addPayment,
  getBankAccount,
  listPayments,
  listWithdrawals,
  removeBankAccount,
  removePayment,
  requestWithdrawal,
  toggleRecharge,
} from "../contract/payment.ts";
import { fullYear } from "../contract/time.ts";

/** Each row of the list that will hold it is a separate movement, however equal they look. */
export const movement = v.object({
  in: v.picklist(["charges", "transfers", "withdrawals"]),
  amount: v.number(),
  /** The account that receives a transfer. */
  to: v.optional(v.string()),
  /**
   * The newest row of the list before the call: the rows above it are newer. Null for an empty list; absent if the
   * list could not be read: the payment is known, and cannot be found.
   */
  after: v.optional(v.nullable(v.string())),
});

export type Movement = v.InferOutput<typeof movement>;

/** What identifies a payment before the list that will hold it is read. */
export type Payment = Omit<Movement, "after">;

const paid = v.object({ amount: v.number() });

interface ListedRow {
  readonly id: string;
  /** What a call that made this row returned; undefined if another kind of call made it. */
  readonly reply: unknown;
}

interface MovementRow {
  readonly endpoint: Endpoint;
  readonly paymentOf: (body: unknown) => Payment;
  /** The newest rows of the list that holds it. */
  readonly list: (client: Client, it: Payment, rows: number) => AsyncIterable<ListedRow>;
}

/** Calls that move money. */
export const movements: Readonly<Record<Movement["in"], MovementRow>> = {
  charges: {
    endpoint: chargeBalance,
    paymentOf: (body) => ({ in: "charges", ...v.parse(paid, body) }),
    list: (client, { amount }, rows) =>
      listed(
        client.pages(listHistory, { query: { balanceAmount: amount } }, { rows }),
        ({ historyId }) => historyId,
        (row) => (isCharge(row, amount) ? row : undefined),
      ),
  },
  transfers: {
    endpoint: transferBalance,
    paymentOf: (body) => {
      const { amount, targetAccountId: to } = v.parse(transferBalance.body, body);
      return { in: "transfers", amount, to };
    },
    list: (client, { amount, to }, rows) =>
      listed(
        client.pages(listHistory, { query: { balanceAmount: 0 - amount } }, { rows }),
        ({ historyId }) => historyId,
        (row) => (isTransfer(row, amount, to) ? "Success" : undefined),
      ),
  },
  withdrawals: {
    endpoint: requestWithdrawal,
    paymentOf: (body) => ({ in: "withdrawals", ...v.parse(paid, body) }),
    list: (client, { amount }, rows) =>
      listed(
        client.pages(listWithdrawals, {}, { rows }),
        ({ withdrawId }) => withdrawId,
        (row) => (row.totalAmount === amount ? row : undefined),
      ),
  },
};

async function* listed<R>(
  pages: AsyncIterable<{ readonly rows: readonly R[] }>,
  idOf: (row: R) => string,
  replyOf: (row: R) => unknown,
): AsyncGenerator<ListedRow> {
  for await (const { rows } of pages)
    for (const row of rows) yield { id: idOf(row), reply: replyOf(row) };
}

type HistoryRow = Row<typeof listHistory>;

const isOwn = ({ groupId, serviceMethod }: HistoryRow): boolean =>
  groupId === null && serviceMethod === null;

const isCharge = (row: HistoryRow, amount: number): boolean =>
  isOwn(row) &&
  row.balanceAmount === amount &&
  row.rechargeMethod !== null &&
  row.rechargeMethod !== "ACCOUNT-TRANSFER";

/** A withdrawal of the same amount names no account. */
const isTransfer = (row: HistoryRow, amount: number, to = ""): boolean =>
  isOwn(row) && row.balanceAmount === 0 - amount && (row.memo === null || row.memo.includes(to));

type Members<M extends v.ObjectEntries> = v.InferOutput<v.ObjectSchema<M, undefined>>;

/**
 * A call that changes a state. What is stored of it has `members`: never a card number, a code, or an account number
 * as a whole. The body that `capture` gets is checked already.
 */
const change = <const K extends string, M extends v.ObjectEntries>(row: {
  readonly endpoint: Endpoint;
  readonly in: K;
  readonly members: v.ObjectSchema<M, undefined>;
  /** Reads the state before the call. */
  readonly capture: (client: Client, body: unknown) => Promise<Members<M>>;
  /** The reply that the call would have returned; undefined if the account does not show it. */
  readonly find: (client: Client, it: Members<M>) => Promise<unknown>;
}) => ({
  endpoint: row.endpoint,
  leaves: v.object({ in: v.literal(row.in), ...row.members.entries }),
  capture: async (client: Client, body: unknown) => ({
    in: row.in,
    ...(await row.capture(client, body)),
  }),
  find: async (client: Client, it: unknown) => row.find(client, v.parse(row.members, it)),
});

export type Card = Row<typeof listPayments>;

/** Every registered card, in the order of the list. */
export const listCards = async (client: Client): Promise<Card[]> => {
  const cards: Card[] = [];
  for await (const page of client.pages(listPayments, {})) cards.push(...page.rows);
  return cards;
};

export const changes = [
  change({
    endpoint: addPayment,
    in: "new card",
    members: v.object({ known: v.array(v.string()), expires: v.string() }),
    capture: async (client, body) => {
      const { expYear, expMonth } = v.parse(addPayment.body, body);
      const expires = `${fullYear(expYear)}/${String(expMonth).padStart(2, "0")}`;
      const known = (await listCards(client)).map(({ _id }) => _id);
      return { known, expires };
    },
    find: async (client, { known, expires }) => {
      const isIt = ({ _id, expDate }: Card) => !known.includes(_id) && expDate === expires;
      const card = (await listCards(client)).find(isIt);
      return card && { paymentId: card._id, description: card.description, expDate: card.expDate };
    },
  }),
  change({
    endpoint: removePayment,
    in: "removed card",
    members: v.object({ paymentId: v.string() }),
    capture: async (_client, body) => v.parse(removePayment.body, body),
    find: async (client, { paymentId }) => {
      const isThere = (await listCards(client)).some(({ _id }) => _id === paymentId);
      return isThere ? undefined : { paymentId, message: "Successfully deleted." };
    },
  }),
  change({
    endpoint: toggleRecharge,
    in: "recharge",
    members: v.object({ on: v.boolean() }),
    capture: async (client) => ({ on: !(await isRecharging(client)) }),
    find: async (client, { on }) =>
      (await isRecharging(client)) === on ? { autoRecharge: on } : undefined,
  }),
  change({
    endpoint: changeAlert,
    in: "alert",
    members: v.object({ balances: v.array(v.number()), channels: v.array(v.string()) }),
    capture: async (_client, body) => v.parse(changeAlert.body, body),
    find: async (client, { balances, channels }) => {
      const { lowBalanceAlert: found } = await client.call(getAlert, {});
      const isIt = hasSame(found.balances, balances) && hasSame(found.channels, channels);
      return isIt ? { message: "Successfully registered." } : undefined;
    },
  }),
  change({
    endpoint: switchAlert,
    in: "alert switch",
    members: v.object({ enabled: v.boolean() }),
    capture: async (_client, body) => v.parse(switchAlert.body, body),
    find: async (client, { enabled }) => {
      const { _id: accountId, lowBalanceAlert } = await client.call(getAlert, {});
      return lowBalanceAlert.enabled === enabled ? { accountId, enabled } : undefined;
    },
  }),
  change({
    endpoint: addBankAccount,
    in: "bank account",
    members: v.object({
      bankCode: v.string(),
      lastDigits: v.string(),
      holderName: v.string(),
      /** When the account before it was registered. */
      updated: v.nullable(v.string()),
    }),
    capture: async (client, body) => {
      const { accountNumber, bankCode, holderName } = v.parse(addBankAccount.body, body);
      const { dateUpdated: updated = null } = await client.call(getBankAccount, {});
      const lastDigits = String(accountNumber).slice(-4);
      return { bankCode, lastDigits, holderName, updated };
    },
    find: async (client, it) => {
      const found = await client.call(getBankAccount, {});
      const { accountNumber, bankCode, holderName, dateUpdated = null } = found;
      const isIt =
        bankCode === it.bankCode &&
        holderName === it.holderName &&
        accountNumber?.endsWith(it.lastDigits) === true &&
        dateUpdated !== it.updated;
      return isIt ? { accountNumber, bankCode, holderName, success: true } : undefined;
    },
  }),
  change({
    endpoint: removeBankAccount,
    in: "no bank account",
    members: v.object({}),
    capture: async () => ({}),
    find: async (client) => {
      const { accountNumber } = await client.call(getBankAccount, {});
      return accountNumber === undefined ? { n: 1 } : undefined;
    },
  }),
];

const isRecharging = async (client: Client): Promise<boolean> =>
  (await client.call(getBalance, {})).autoRecharge === 1;

const hasSame = <T>(left: readonly T[], right: readonly T[]): boolean =>
  new Set([...left, ...right]).size === new Set(left).size &&
  new Set(left).size === new Set(right).size;
