/** Sends a group: money, quota, and the due work. */
import { Refusal } from "../service.ts";
import type { GroupRow } from "../store/groups.ts";
import { seoulDay } from "../store/ids.ts";
import type { NewMessage } from "../store/messages.ts";
import type { Store } from "../store/store.ts";
import { canSend, payProfit } from "./apps.ts";
import { logged } from "./groups.ts";
import { adjustWallet, movedMembers } from "./wallet.ts";

export type StopReason = "registration" | "app" | "balance" | "quota";

/** The code of messages that were accepted and then not sent. */
export const unsentCode = "1030";

/** Lines of the log; the balance line is the sandbox's own, the others are published. */
const stopLines: Readonly<Record<Exclude<StopReason, "registration">, string>> = {
  app: "invalid app id",
  balance: "not sent: balance too low",
  quota: "not sent: daily send quota exceeded",
};

export interface Sent {
  /** The group as it is to be stored. */
  readonly group: GroupRow;
  readonly stop: StopReason | undefined;
}

export const notEnoughBalance = (): Refusal =>
  new Refusal(402, "NotEnoughBalance", "Balance and points together are below the price.");

/** Charges a group and schedules its due work. The caller stores the returned group. */
export const send = (
  store: Store,
  group: GroupRow,
  at: number,
  quota: "checked" | "exempt" = "checked",
): Sent => {
  const account = store.accounts.get(group.accountId);
  if (group.registeredSuccess === 0) return failed(group, at, "registration");
  if (!canSend(store, group)) return failed(group, at, "app");
  const price = group.prepaid === 1 ? group.price : 0;
  if (price > account.balance + account.point) return failed(group, at, "balance");
  const day = seoulDay(at);
  const sentToday = store.quotas.sentOn(group.accountId, day);
  if (quota === "checked" && sentToday + group.registeredSuccess > account.quota) {
    return failed(group, at, "quota");
  }
  const { balance, point, members } = charge(store, group, price, at);
  store.quotas.addSent(group.accountId, day, group.registeredSuccess);
  payProfit(store, group, at);
  store.scheduledJobs.add("handOver", at + store.settings.get("tickMs"), group.seq);
  const sent: GroupRow = {
    ...group,
    status: "SENDING",
    sent: at,
    balanceRequested: balance,
    pointRequested: point,
  };
  return { stop: undefined, group: logged(sent, at, "messages sent", members) };
};

/** Takes a price from points first, then from the balance: returns the amounts and the members of the log line. */
export const charge = (store: Store, group: GroupRow, price: number, at: number) => {
  const old = store.accounts.get(group.accountId);
  const point = Math.min(price, old.point);
  const balance = price - point;
  const left =
    price === 0
      ? old
      : adjustWallet(store, group.accountId, {
          type: "DEDUCT",
          balance: 0 - balance,
          point: 0 - point,
          at,
          serviceMethod: "MT",
          groupSeq: group.seq,
        });
  return { balance, point, members: movedMembers(old, left, price) };
};

/** FAILED, not charged; accepted messages count as refused. */
const failed = (group: GroupRow, at: number, stop: StopReason): Sent => {
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

/** An accepted message of a stopped group; its final code and cost stay known. */
export const unsent = (message: NewMessage): NewMessage =>
  message.statusCode === "2000" ? { ...message, statusCode: unsentCode } : message;
