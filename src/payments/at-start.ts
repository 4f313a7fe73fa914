/** Whether earlier calls of this user were left in doubt: looked at by every command of money, so it is brief. */
import { diskFiles } from "../durable/files.ts";
import { MsgError } from "../errors.ts";
import type { Ports } from "../ports.ts";
import { doubtsFolder } from "../reconcile/payment-folder.ts";

/** Tells of them before anything is asked or sent (reliability.md F08). */
export const tellAtStart = async (ctx: Ports): Promise<void> => {
  if (!mayHaveDoubts(ctx)) return;
  const { tellDoubts } = await import("../reconcile/report-payments.ts");
  await tellDoubts(ctx);
};

/** Costs a look at a folder, which is not there for most. */
export const mayHaveDoubts = (ctx: Ports): boolean => {
  try {
    const folder = doubtsFolder(ctx);
    return diskFiles.look(folder) !== undefined && diskFiles.list(folder).length > 0;
  } catch (error) {
    // Without a home there is no folder that they could lie in.
    if (error instanceof MsgError) return false;
    throw error;
  }
};
