import { tool } from "../../cli/command.ts";
import type { StoredCredential } from "../../config/files/credentials.ts";
import { MsgError } from "../../errors.ts";
import { accountColumns, apiKeyTail, saveCredentials } from "../../session/stored-credentials.ts";

export default tool({
  mayBeNew: true,
  columns: accountColumns,
  fields: [],
  examples: ["msg auth logout", "msg auth logout -p work"],
  run: async (ctx) => {
    const name = ctx.settings.profile.value;
    const { profiles } = ctx.session.config.readCredentials();
    const credential = Object.hasOwn(profiles, name) ? profiles[name] : undefined;
    if (!credential)
      throw new MsgError("missing", `nothing is stored for profile '${name}'`, {
        todo: "msg profile list shows the profiles; credentials of the environment are unset there",
      });
    await saveCredentials(ctx, name, undefined);
    await ctx.note(
      ctx.consent.dryRun
        ? "rehearsed: nothing was removed"
        : `removed from ${ctx.session.config.credentialsFile()}; ${restOf(credential)}`,
    );
    return {
      record: {
        profile: name,
        kind: credential.kind,
        host: credential.host,
        apiKeyTail: apiKeyTail(credential),
        stored: null,
        from: `profile ${name}`,
      },
    };
  },
});

/** Removing a credential here takes it from no one who has a copy. */
const restOf = (credential: StoredCredential): string => {
  const { host } = credential;
  if (credential.kind === "key") return `the key itself is still valid at ${host}`;
  const end = credential.dateExpires === undefined ? "" : ` until ${credential.dateExpires}`;
  return `the access token is still valid at ${host}${end}; the refresh token until the app is revoked there`;
};
