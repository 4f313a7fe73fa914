/** Every movement of money, with what follows from it: alert and automatic recharge. */
import type { AccountRow, Alert, Movement, Wallet } from "../store/accounts.ts";
import type { ScheduledJob } from "../store/scheduled-jobs.ts";
import type { Store } from "../store/store.ts";

/** Ready to report every threshold again. */
export const rearmAlert = { notificationBalance: "0", currentBalance: null } as const;

/** How the processor of cards is named in the ledger. */
export const cardMethod = "CARD";
/** Cards that end with these digits are always declined. */
const declinedDigits = "0002";

/** Moves money. Returns the wallet right after, before any recharge. */
export const adjustWallet = (store: Store, accountId: string, movement: Movement): Wallet => {
  const account = store.accounts.move(accountId, movement);
  if (movement.balance === 0) return account;
  updateAlert(store, account, account.balance - movement.balance, movement.at);
  const isLow = movement.balance < 0 && account.balance < account.minimumCash;
  if (account.autoRecharge === 1 && isLow) {
    store.scheduledJobs.add("recharge", movement.at, Number(accountId));
  }
  return account;
};

/** The members of a group's log line for a movement of money. */
export const movedMembers = (old: Wallet, now: Wallet, totalPrice: number) => ({
  oldBalance: old.balance,
  newBalance: now.balance,
  oldPoint: old.point,
  newPoint: now.point,
  totalPrice,
});

/**
 * Reports each threshold that the balance fell below, once; above the highest it is armed again.
 * The last reported threshold is kept in the alert itself.
 */
const updateAlert = (store: Store, account: AccountRow, oldBalance: number, at: number): void => {
  const { balance, accountId, alert } = account;
  const reported = Number(alert.notificationBalance);
  if (reported > 0 && balance > Math.max(...alert.balances)) {
    store.accounts.update(accountId, { alert: { ...alert, ...rearmAlert } });
    return;
  }
  const crossed = alert.balances.filter(
    (it) => oldBalance >= it && it > balance && (reported === 0 || it < reported),
  );
  if (!alert.enabled || crossed.length === 0) return;
  const noted: Alert = {
    ...alert,
    notificationBalance: String(Math.min(...crossed)),
    currentBalance: balance,
  };
  store.accounts.update(accountId, { alert: noted });
  // Every channel that reaches a phone; no page shows e-mail.
  const channels = (["SMS", "ATA"] as const).filter((it) => alert.channels.includes(it));
  for (const threshold of crossed.sort((one, other) => other - one)) {
    const text = `The balance of ${accountId} is ${balance} won, below ${threshold} won.`;
    for (const type of channels) store.messageFeed.notify({ accountId, type, text, created: at });
  }
};

/** Fills a balance that is still too low, from the first card that is not declined. */
export const recharge = (store: Store, { at, subject }: ScheduledJob): void => {
  const accountId = String(subject);
  const account = store.accounts.get(accountId);
  if (account.autoRecharge !== 1 || account.balance >= account.minimumCash) return;
  const cards = store.cards.list(accountId).filter((it) => it.priority > 0);
  const isPaid = cards.some((card) => !isDeclined(card.lastDigits));
  const rechargeTryCount = isPaid ? 0 : account.rechargeTryCount + cards.length;
  store.accounts.update(accountId, { rechargeTryCount });
  if (!isPaid) return;
  adjustWallet(store, accountId, {
    type: "RECHARGE",
    balance: account.rechargeTo - account.balance,
    at,
    rechargeMethod: cardMethod,
    memo: "automatic recharge",
  });
};

export const isDeclined = (lastDigits: string): boolean => lastDigits === declinedDigits;
