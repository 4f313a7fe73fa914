/** The named run, for commands that ask the service about it: it must be of this profile, service and account. */

import { tokenAccount } from "../../client/token.ts";
import { isSandboxName } from "../../config/sandbox-profiles.ts";
import { isLocal } from "../../config/settings.ts";
import { type MsgError, usageError } from "../../errors.ts";
import { joinSentences, t } from "../../locale/locale.ts";
import type { Ports } from "../../ports.ts";
import { signingKeyTail } from "../../session/stored-credentials.ts";
import { isSingleSend, type RunFile } from "../store/run-file.ts";
import { findRun, type RunOwner, storeOf } from "../store/run-folder.ts";
import { readAccount } from "./account.ts";

/**
 * Throws MsgError (usage) for a run of another profile, service or account: the account that is asked would not
 * know its groups, and what it does not know would be taken as not sent.
 */
export const findOwnRun = async (ctx: Ports, named: string): Promise<RunFile> => {
  const run = findRun(storeOf(ctx), named, await runOwnerOf(ctx));
  await assertOwnRun(ctx, run);
  return run;
};

/** The same for a run that was found already. */
export const assertOwnRun = async (ctx: Ports, run: RunFile): Promise<void> => {
  if (run.profile !== ctx.settings.profile.value && (await storedBy(ctx))(run.profile))
    throw usageError(t`run ${run.run} belongs to profile '${run.profile}'`, {
      code: "OtherProfile",
      todo: t`add -p ${run.profile}`,
    });
  const elsewhere = otherServiceError(ctx, run);
  if (elsewhere) throw elsewhere;
  if (isSameCaller(ctx, run)) return;
  // The account of a caller that may not read its balance is unknown.
  const account = run.account === null ? undefined : await readOwnAccount(ctx);
  if (account !== undefined && account === run.account) return;
  throw otherAccount(run, account);
};

const readOwnAccount = async (ctx: Ports): Promise<string | undefined> =>
  tokenAccount(ctx.settings.credentials.value) ?? (await readAccount(ctx)).account;

/** A profile renamed or removed since says nothing of the present caller: the service and the account do. */
const storedBy = async ({ session }: Ports): Promise<(profile: string) => boolean> => {
  const { profiles } = await session.config.read();
  return (profile) => isSandboxName(profile) || Object.hasOwn(profiles, profile);
};

/** Owns the runs of the profile, and those of a profile that is gone with the same key at the same service. */
export const runOwnerOf = async (ctx: Ports): Promise<RunOwner> => {
  const isStored = await storedBy(ctx);
  const profile = ctx.settings.profile.value;
  const fits = (run: RunFile): boolean =>
    run.baseUrl !== null && !otherServiceError(ctx, run) && isSameCaller(ctx, run);
  const owns: RunOwner["owns"] = (run) =>
    run.profile === profile || (!isStored(run.profile) && fits(run));
  return { profile, owns };
};

/** The profile and account that a run belongs to. */
export const ownerOf = (ctx: Ports, account: string | undefined) => {
  const { profile, baseUrl } = ctx.settings;
  return {
    profile: profile.value,
    account: account ?? null,
    key: signingKeyTail(ctx) ?? null,
    baseUrl: baseUrl.value ?? null,
  };
};

/** Says so of a run that is shown without asking: the last one may be a rehearsal. */
export const noteOtherService = async (ctx: Ports, run: RunFile): Promise<void> => {
  const elsewhere = otherServiceError(ctx, run);
  if (elsewhere) await ctx.note(elsewhere.message);
};

/**
 * The error (usage) for a run that was made at another address: what is not known there would be taken as not
 * sent. On this machine a sandbox gets another port at each start, and so does a tunnel: the account distinguishes
 * those. The sandbox of `--sandbox` has no address.
 */
export const otherServiceError = ({ settings }: Ports, made: RunFile): MsgError | undefined => {
  const { run, profile, baseUrl } = made;
  const here = settings.baseUrl.value;
  if (baseUrl === null || here === undefined || here === baseUrl) return undefined;
  if (isLocal(baseUrl) && isLocal(here)) return undefined;
  return usageError(t`run ${run} was made at ${baseUrl}, this is ${here}`, {
    code: "OtherService",
    where: t`profile '${profile}'`,
    todo: joinSentences([
      t`no request was made; to use the service of the run: --base-url ${baseUrl}`,
      ...(isSingleSend(made) && isLocal(here) ? [t`to rehearse: another key, or --sandbox`] : []),
    ]),
  });
};

/** Whether the key is the same, or the account of a token; where no account is known any token counts as the same. */
const isSameCaller = (ctx: Ports, { key, account }: RunFile): boolean =>
  key === null
    ? signingKeyTail(ctx) === undefined &&
      (account === null || account === tokenAccount(ctx.settings.credentials.value))
    : signingKeyTail(ctx) === key;

const otherAccount = ({ run, key, account, profile }: RunFile, here: string | undefined): Error => {
  const how = key === null ? t`an access token` : t`the key …${key}`;
  const made = account === null ? how : t`account ${account}`;
  const what =
    here === undefined
      ? t`run ${run} belongs to ${made}, and the account of this profile cannot be read`
      : t`run ${run} belongs to ${made}, this is account ${here}`;
  return usageError(what, {
    code: "OtherAccount",
    where: t`profile '${profile}'`,
    todo:
      key === null
        ? t`log in to the account of the run`
        : t`use a key of that account, such as …${key}`,
  });
};
