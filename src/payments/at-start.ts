/** Whether earlier calls of this user were left in doubt: looked at by every command of money, so it is brief. */
import { diskFiles } from "../durable/files.ts";
import { MsgError } from "../errors.ts";
import type { Ports } from "../ports.ts";
import { paymentsFolder } from "../reconcile/payment-folder.ts";

/** Reports them before anything is asked or sent. */
export const reportOpenPayments = async (ctx: Ports): Promise<void> => {
  if (!hasOpenPayments(ctx)) return;
  const { reportPayments: tellDoubts } = await import("../reconcile/report-payments.ts");
  await tellDoubts(ctx);
};

/** Costs a look at a folder, which is not there for most. */
export const hasOpenPayments = (ctx: Ports): boolean => {
  try {
    const folder = paymentsFolder(ctx);
    return diskFiles.lstat(folder) !== undefined && diskFiles.list(folder).length > 0;
  } catch (error) {
    // Without a home there is no folder that they could lie in.
    if (error instanceof MsgError) return false;
    throw error;
  }
};
