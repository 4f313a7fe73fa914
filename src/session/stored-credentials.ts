/** The stored credentials of a profile, and how they are printed: never the secret. */

import { isDeepStrictEqual } from "node:util";
import type { StoredCredential, StoredCredentials } from "../config/credentials.ts";
import type { Credentials } from "../contract/wire.ts";
import type { Ports } from "../ports.ts";

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
