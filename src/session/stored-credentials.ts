/** Changes what is stored of this user's profiles, and prints credentials: never the secret. */

import { isDeepStrictEqual } from "node:util";
import type { StoredCredential, StoredCredentials } from "../config/credentials.ts";
import type { Config } from "../config/profiles.ts";
import type { Credentials } from "../contract/wire.ts";
import { t } from "../locale/locale.ts";
import type { Ports } from "../ports.ts";

/** Changes the settings, or shows with --dry-run what they would become. */
export const changeConfig = async (
  { session: { config }, consent, note }: Ports,
  change: (config: Config) => Config,
): Promise<Config> => {
  if (!consent.dryRun) return config.update(change);
  const changed = change(await config.read());
  await note(t`dry run: nothing was changed`);
  return changed;
};

/** Stores a credential under a name, or removes what is there; does nothing with --dry-run. */
export const saveCredentials = (
  ctx: Ports,
  name: string,
  credential: StoredCredential | undefined,
): Promise<void> =>
  changeSecrets(ctx, (now) => {
    const others = without(now.profiles, name);
    return { ...now, profiles: { ...others, ...(credential && { [name]: credential }) } };
  });

/** Stores the secrets of a profile, its login and its key, under another name as well. */
export const copySecrets = (ctx: Ports, from: string, to: string): Promise<void> =>
  changeSecrets(ctx, (now) =>
    mapSecrets(now, (all) => ({ ...without(all, to), ...(all[from] && { [to]: all[from] }) })),
  );

/** Removes the login of a profile and its key, in one write. */
export const removeSecrets = (ctx: Ports, name: string): Promise<void> =>
  changeSecrets(ctx, (now) => mapSecrets(now, (all) => without(all, name)));

type Named<T> = Readonly<Record<string, T>>;

const mapSecrets = (
  { version, profiles, approvalKeys }: StoredCredentials,
  change: <T>(all: Named<T>) => Record<string, T>,
): StoredCredentials => ({
  version,
  profiles: change(profiles),
  ...(approvalKeys && { approvalKeys: change(approvalKeys) }),
});

const without = <T>(all: Named<T>, name: string): Record<string, T> => {
  const { [name]: _gone, ...others } = all;
  return others;
};

/** Writes nothing with --dry-run, nor if nothing changes. */
const changeSecrets = async (
  { session: { config }, consent }: Ports,
  change: (stored: StoredCredentials) => StoredCredentials,
): Promise<void> => {
  const stored = config.readCredentials();
  if (!consent.dryRun && !isDeepStrictEqual(change(stored), stored))
    await config.updateCredentials(change);
};

export const accountColumns = ["profile", "kind", "host", "apiKeyTail", "stored", "from"] as const;

/** The last four characters of a key; undefined for an access token. */
export const apiKeyTail = (credentials: Credentials | undefined): string | undefined =>
  credentials?.kind === "key" ? credentials.apiKey.slice(-4) : undefined;

/** What is printed about a profile's credential; `stored` is null if no file holds it. */
export const accountRecord = (
  profile: string,
  credential: StoredCredential,
  stored: string | null,
) => ({
  profile,
  kind: credential.kind,
  host: credential.host,
  apiKeyTail: apiKeyTail(credential) ?? null,
  stored,
  from: `profile ${profile}`,
});

/** The last four characters of the key that proves who calls; none with an access token. */
export const signingKeyTail = ({ settings }: Ports): string | undefined =>
  apiKeyTail(settings.credentials.value);
