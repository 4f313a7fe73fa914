/**
 * One process at a time makes a payment of an amount: of two at once, each could take the other's
 * entry in the ledger for its own.
 */

import { createHash } from "node:crypto";
import { join } from "node:path";
import { ensurePrivateDir } from "../durable/atomic-write.ts";
import { type Busy, withExclusiveLock } from "../durable/lease.ts";
import { MsgError } from "../errors.ts";
import { t } from "../locale/locale.ts";
import type { Ports } from "../ports.ts";
import type { Payment } from "../reconcile/payment-evidence.ts";
import { callerOf, paymentsFolder } from "../reconcile/payment-records.ts";
import { storeOf } from "../send/store/run-store.ts";

/**
 * Runs `action` while no other process of this user makes the same payment for the same caller; what
 * moves no money need not wait. Throws MsgError (stopped) where one does, before anything is sent.
 */
export const withPaymentLock = async <T>(
  ctx: Ports,
  payment: Payment | undefined,
  action: (assertAlone: () => void) => Promise<T>,
): Promise<T> => {
  if (payment === undefined) return action(() => undefined);
  const store = storeOf(ctx);
  const folder = paymentsFolder(ctx);
  ensurePrivateDir(store.files, folder, store.user);
  const path = join(folder, `${nameOf(ctx, payment)}.lock`);
  const onBusy = ({ isBeating, holder }: Busy): void => {
    if (isBeating || ctx.signal.aborted) throw inUse(payment, holder);
  };
  return withExclusiveLock(store.files, path, { ...store, onBusy }, ({ assertOwned }) =>
    action(assertOwned),
  );
};

/** The same for two payments that would look the same: by amount and by who pays, never by which card. */
const nameOf = (ctx: Ports, payment: Payment): string => {
  const { host, key } = callerOf(ctx);
  const text = JSON.stringify([host, key, payment]);
  return createHash("sha256").update(text).digest("hex").slice(0, 16);
};

const inUse = ({ in: kind, amount }: Payment, holder: string): MsgError =>
  new MsgError(
    "stopped",
    t`another msg (process ${holder}) is working on ${kind} of ${amount} won: nothing was sent`,
    {
      code: "PaymentInUse",
      todo: t`wait until it ends, check what it did, and run this again if it is another payment`,
    },
  );
