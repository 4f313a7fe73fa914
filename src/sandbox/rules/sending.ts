/** Sends a group: money, quota, and what time will bring (facts/messages 3.5). */
import type { Purses } from "../store/accounts.ts";
import type { GroupRow } from "../store/groups.ts";
import { seoulDay } from "../store/ids.ts";
import type { NewMessage } from "../store/messages.ts";
import type { Store } from "../store/store.ts";
import { logged } from "./groups.ts";

/** Why a group was not sent. */
export type Stop = "registration" | "balance" | "quota";

/** The code of messages that were accepted and then not sent (facts/messages 5.0). */
export const unsentCode = "1030";

/** Lines of the log; that of the quota is published, the other is ours. */
const stopLines: Readonly<Record<Exclude<Stop, "registration">, string>> = {
  balance: "not sent: balance too low",
  quota: "not sent: daily send quota exceeded",
};

export interface Sent {
  /** The group as it is to be stored. */
  readonly group: GroupRow;
  readonly stop: Stop | undefined;
}

/** Charges a group and hands it to time. The caller stores the group that comes back. */
export const send = (store: Store, group: GroupRow, at: number): Sent => {
  const account = store.accounts.read(group.accountId);
  if (account === undefined) throw new Error(`There is no account ${group.accountId}.`);
  if (group.registeredSuccess === 0) return failed(group, at, "registration");
  const price = group.prepaid === 1 ? group.price : 0;
  if (price > account.balance + account.point) return failed(group, at, "balance");
  const day = seoulDay(at);
  if (store.accounts.sentOn(account.accountId, day) + group.registeredSuccess > account.quota) {
    return failed(group, at, "quota");
  }
  store.accounts.addSent(account.accountId, day, group.registeredSuccess);
  store.due.add("handOver", at + store.settings.get("tickMs"), group.seq);
  const sent: GroupRow = { ...group, status: "SENDING", sent: at };
  return { stop: undefined, group: charge(store, sent, account, price, at) };
};

/** Takes the price from the points first, then from the balance, and notes it in the log. */
const charge = (
  store: Store,
  group: GroupRow,
  before: Purses,
  price: number,
  at: number,
): GroupRow => {
  const point = Math.min(price, before.point);
  const balance = price - point;
  if (price > 0) {
    store.accounts.move(group.accountId, {
      type: "DEDUCT",
      balance: 0 - balance,
      point: 0 - point,
      at,
      serviceMethod: "MT",
      groupSeq: group.seq,
    });
  }
  const charged: GroupRow = { ...group, balanceRequested: balance, pointRequested: point };
  return logged(charged, at, "messages sent", {
    oldBalance: before.balance,
    newBalance: before.balance - balance,
    oldPoint: before.point,
    newPoint: before.point - point,
    totalPrice: price,
  });
};

/** FAILED, not charged; whatever was accepted counts as refused. */
const failed = (group: GroupRow, at: number, stop: Stop): Sent => {
  const stopped: GroupRow = {
    ...group,
    status: "FAILED",
    updated: at,
    registeredSuccess: 0,
    registeredFailed: group.registeredFailed + group.registeredSuccess,
    charge: "{}",
    price: 0,
  };
  return { stop, group: stop === "registration" ? stopped : logged(stopped, at, stopLines[stop]) };
};

/** An accepted message of a group that was stopped. */
export const unsent = (message: NewMessage): NewMessage => {
  const [to, from, text, type, country, statusCode, , , options] = message;
  return statusCode === "2000"
    ? [to, from, text, type, country, unsentCode, unsentCode, 0, options]
    : message;
};
