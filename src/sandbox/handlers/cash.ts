/** Balance and payment (facts/auth-cash 8). */
import type { getBalance as GetBalance } from "../../contract/cash.ts";
import { type Handler, Refusal } from "../service.ts";

export const getBalance: Handler<typeof GetBalance> = (_input, { store, caller }) => {
  const account = store.accounts.read(caller.accountId);
  if (account === undefined) {
    throw new Refusal(400, "InvalidAccountId", `There is no account '${caller.accountId}'.`);
  }
  const { accountId, balance, point } = account;
  const { minimumCash, rechargeTo, rechargeTryCount, autoRecharge } = account;
  return {
    lowBalanceAlert: JSON.parse(account.alert),
    point,
    minimumCash,
    rechargeTo,
    rechargeTryCount,
    autoRecharge,
    accountId,
    balance,
  };
};
