/** Whether earlier calls of this user were left in doubt: looked at by every command of money, so it is brief. */

import type { Context } from "../../context.ts";
import { diskFiles } from "../../durable/files.ts";
import { MsgError } from "../../errors.ts";
import type { Caller } from "../line/guarded.ts";
import { doubtsFolder } from "./folder.ts";

export const concernsMoney = ({ endpoint, also }: Caller): boolean =>
  [endpoint, ...also].some((it) => it?.path.startsWith("/cash/"));

/** Tells of them before anything is asked or sent (reliability.md F08). */
export const tellAtStart = async (ctx: Context): Promise<void> => {
  if (!mayHaveDoubts(ctx)) return;
  const { tellDoubts } = await import("./tell.ts");
  await tellDoubts(ctx);
};

/** Costs a look at a folder, which is not there for most. */
export const mayHaveDoubts = (ctx: Context): boolean => {
  try {
    const folder = doubtsFolder(ctx);
    return diskFiles.look(folder) !== undefined && diskFiles.list(folder).length > 0;
  } catch (error) {
    // Without a home there is no folder that they could lie in.
    if (error instanceof MsgError) return false;
    throw error;
  }
};
