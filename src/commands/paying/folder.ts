/** Where calls that were left in doubt are kept, of all profiles. */
import { join } from "node:path";
import type { Context } from "../../context.ts";

export const doubtsFolder = ({ stateFolder }: Pick<Context, "stateFolder">): string =>
  join(stateFolder(), "doubts");
