/** Keeps or removes the credentials of a profile. */
import type { StoredCredential } from "../config/files/credentials.ts";
import type { Ports } from "../ports.ts";

/** Stores a credential under a name, or removes what is there; does nothing with --dry-run. */
export const saveCredentials = async (
  ctx: Ports,
  name: string,
  credential: StoredCredential | undefined,
): Promise<void> => {
  const stored = ctx.session.config.readCredentials();
  if (ctx.consent.dryRun || (!credential && !Object.hasOwn(stored.profiles, name))) return;
  await ctx.session.config.updateCredentials((now) => {
    const others = Object.entries(now.profiles).filter(([other]) => other !== name);
    const own = credential ? [[name, credential] as const] : [];
    return { ...now, profiles: Object.fromEntries([...others, ...own]) };
  });
};
