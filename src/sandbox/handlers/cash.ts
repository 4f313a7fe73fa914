/** Balance, alert, charge and transfer. */
import * as Declared from "../../contract/cash.ts";
import { declared } from "../../contract/endpoint.ts";
import { adjustWallet, cardMethod, isDeclined, rearmAlert } from "../rules/wallet.ts";
import { type FormCheck, type Handler, Refusal, validationError } from "../service.ts";
import { historyRecord } from "./billing.ts";
import { cardOf } from "./payment.ts";
import { datesOf, ownAccount } from "./records.ts";

export const getBalance: Handler<"getBalance"> = (_input, service) => {
  const account = ownAccount(service);
  return declared(Declared.getBalance.reply, { ...account, lowBalanceAlert: account.alert });
};

export const getAlert: Handler<"getAlert"> = (_input, service) => {
  const account = ownAccount(service);
  const { accountId: _id, alert, alertCreated: created, alertUpdated: updated } = account;
  return { lowBalanceAlert: alert, _id, ...datesOf({ created, updated }) };
};

/** Replaces thresholds and channels, and rearms the alert; on stays on and off stays off. */
export const changeAlert: Handler<"changeAlert"> = ({ body }, service) => {
  const { accountId, alert: before } = ownAccount(service);
  const balances = [...body.balances].sort((a, b) => a - b);
  const channels = [...new Set(body.channels)];
  const alert = { ...before, ...rearmAlert, balances, channels };
  service.store.accounts.update(accountId, { alert, alertUpdated: service.now });
  service.assume("alert-change");
  return { message: "Successfully registered." };
};

export const switchAlert: Handler<"switchAlert"> = ({ body: { enabled } }, service) => {
  const { accountId, alert } = ownAccount(service);
  const switched = { alert: { ...alert, enabled }, alertUpdated: service.now };
  service.store.accounts.update(accountId, switched);
  return { accountId, enabled };
};

export const chargeBalance: Handler<"chargeBalance"> = ({ body }, service) => {
  const { store, caller, now, idSeed } = service;
  const { accountId } = caller;
  const card = cardOf(body.paymentId, service);
  if (card === undefined)
    throw new Refusal(400, "InvalidPaymentId", `There is no card '${body.paymentId}'.`);
  service.assume("test-cards");
  if (isDeclined(card.lastDigits))
    throw new Refusal(402, "BalanceInsufficient", `The card '${card.description}' was declined.`);
  adjustWallet(store, accountId, {
    type: "RECHARGE",
    balance: body.amount,
    at: now,
    rechargeMethod: cardMethod,
  });
  const record = historyRecord(store.ledger.newest(accountId), idSeed);
  return declared(Declared.chargeBalance.reply, record);
};

export const checkTransfer: FormCheck<"transferBalance"> = ({ body }, { caller }) => {
  if (body.targetAccountId !== caller.accountId) return;
  throw validationError("'targetAccountId' must be another account.");
};

/** Balance only: points stay with the account that received them. */
export const transferBalance: Handler<"transferBalance"> = ({ body }, service) => {
  const { store, caller, now } = service;
  const { accountId } = caller;
  const { targetAccountId, amount } = body;
  if (body.accountId !== undefined && body.accountId !== accountId)
    throw new Refusal(403, "Forbidden", "Only your own account can pay.");
  const target = store.accounts.read(targetAccountId);
  if (target === undefined || target.status === "DELETED")
    throw new Refusal(400, "InvalidAccountId", `There is no account '${targetAccountId}'.`);
  service.assume("transfer");
  const { balance } = ownAccount(service);
  if (amount > balance) {
    const text = `The balance is ${balance} won; points cannot be transferred.`;
    throw new Refusal(402, "NotEnoughBalance", text);
  }
  const [to, from] = [`transfer to ${targetAccountId}`, `transfer from ${accountId}`];
  adjustWallet(store, accountId, { type: "DEDUCT", balance: 0 - amount, at: now, memo: to });
  adjustWallet(store, targetAccountId, { type: "RECHARGE", balance: amount, at: now, memo: from });
  return "Success";
};
