import { tool } from "../../cli/command.ts";
import type { Context } from "../../cli/context.ts";
import type { StoredCredential } from "../../config/credentials.ts";
import { profileOf, withProfile } from "../../config/profiles.ts";
import { MsgError } from "../../errors.ts";
import { shownTime, t } from "../../locale/locale.ts";
import {
  accountColumns,
  accountRecord,
  saveCredentials,
} from "../../session/stored-credentials.ts";

export default tool({
  writes: "local",
  mayBeNew: true,
  columns: accountColumns,
  examples: ["msg auth logout", "msg auth logout -p work"],
  run: async (ctx) => {
    const name = ctx.settings.profile.value;
    const { profiles } = ctx.session.config.readCredentials();
    const credential = Object.hasOwn(profiles, name) ? profiles[name] : undefined;
    if (!credential)
      throw new MsgError("missing", t`no credentials are stored for profile '${name}'`, {
        todo: t`list the profiles: msg profile list; credentials in the environment are removed by unsetting the variables`,
      });
    await saveCredentials(ctx, name, undefined);
    if (!ctx.consent.dryRun) await forgetKind(ctx, name);
    await ctx.note(
      ctx.consent.dryRun
        ? t`dry run: nothing was removed`
        : t`removed from ${ctx.session.config.credentialsFile()}; ${restOf(credential)}`,
    );
    return { record: accountRecord(name, credential, null) };
  },
});

/** Removes from a profile's settings how it is logged in. */
const forgetKind = async ({ session: { config } }: Context, name: string): Promise<void> => {
  if (profileOf(await config.read(), name).kind === undefined) return;
  await config.update((stored) => {
    const { kind: _gone, ...rest } = profileOf(stored, name);
    return withProfile(stored, name, rest);
  });
};

/** Removing a credential here does not revoke copies of it. */
const restOf = (credential: StoredCredential): string => {
  const { host } = credential;
  if (credential.kind === "key") return t`the API key itself is still valid at ${host}`;
  const { dateExpires } = credential;
  return dateExpires === undefined
    ? t`the access token and the refresh token are still valid at ${host} until the app is revoked there`
    : t`the access token is still valid at ${host} until ${shownTime(dateExpires)}, the refresh token until the app is revoked there`;
};
