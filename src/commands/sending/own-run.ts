/** A run that is named, for those who ask the service about it: of this profile and this account. */
import type { RunFile } from "../../bulk/run-file.ts";
import { findRun, type RunStore } from "../../bulk/run-folder.ts";
import type { Context } from "../../context.ts";
import { usage } from "../../errors.ts";
import { accountOf, keyOf } from "./account.ts";

/**
 * Throws MsgError (usage) for a run of another profile or account: the account that is asked would not
 * know its groups, and what it does not know would be taken as not sent.
 */
export const ownRun = async (ctx: Context, store: RunStore, named: string): Promise<RunFile> => {
  const run = findRun(store, named, ctx.settings.profile.value);
  if (run.profile !== ctx.settings.profile.value)
    throw usage(`run ${run.run} belongs to profile '${run.profile}'`, {
      code: "OtherProfile",
      todo: `add -p ${run.profile}`,
    });
  if (run.account === null || isSameKey(ctx, run)) return run;
  const { account } = await accountOf(ctx);
  if (account === undefined || account === run.account) return run;
  throw usage(`run ${run.run} was made for account ${run.account}, this is ${account}`, {
    code: "OtherAccount",
    where: `profile '${run.profile}'`,
    todo: "use a key of that account",
  });
};

const isSameKey = (ctx: Context, { key }: RunFile): boolean => key !== null && keyOf(ctx) === key;
