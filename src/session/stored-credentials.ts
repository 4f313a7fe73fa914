/** The stored credentials of a profile, how they are printed (never the secret), and how a token is renewed. */

import { isDeepStrictEqual } from "node:util";
import type { Client } from "../client/client.ts";
import { instantAt, readToken } from "../client/token.ts";
import type { StoredCredential, StoredCredentials } from "../config/credentials.ts";
import { requireCredentials } from "../config/resolve.ts";
import type { ConfigStore } from "../config/store.ts";
import { getAccessToken } from "../contract/apps.ts";
import type { Input, Reply } from "../contract/endpoint.ts";
import type { AccessToken, Credentials } from "../contract/wire.ts";
import { asMsgError, type MsgError, runAgain, usageError } from "../errors.ts";
import { t } from "../locale/locale.ts";
import type { Ports } from "../ports.ts";

/**
 * What msg keeps of a token reply: without a new refresh token the old one stays; the old expiry never stays,
 * even if the new one is unknown.
 */
export const tokenEntry = (reply: Reply<typeof getAccessToken>, now: Date) => {
  const claims = readToken(reply.access_token);
  const seconds: unknown = reply.expires_in ?? undefined;
  const expires = claims?.expires ?? instantAt(now.getTime() + Number(seconds) * 1_000);
  const scope = claims?.scopes.join(" ");
  return {
    accessToken: reply.access_token,
    ...(reply.refresh_token !== undefined && { refreshToken: reply.refresh_token }),
    dateExpires: expires?.toISOString(),
    ...(scope !== undefined && { scope }),
  };
};

/**
 * A token from the environment comes without the rest. Throws if the profile is not logged in, or is logged
 * in with an API key.
 */
export const readStoredToken = (ctx: Ports): AccessToken & Partial<StoredCredential> => {
  const { settings, session } = ctx;
  const profile = settings.profile.value;
  const credentials = requireCredentials(settings);
  if (credentials.kind === "key")
    throw usageError(t`profile '${profile}' is logged in with an API key and has no token`, {
      code: "NoToken",
      todo: t`log in with OAuth2: msg auth login --web -p <name>`,
    });
  const entry = session.config.readCredentials().profiles[profile];
  const isStored = settings.credentials.origin === "profile" && entry?.kind === "token";
  return isStored ? entry : credentials;
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

export interface RenewOptions {
  readonly config: ConfigStore;
  readonly profile: string;
  /** A client for the host that issues tokens. */
  readonly client: Client;
  readonly now: () => Date;
  readonly redact: (secret: string) => void;
}

/**
 * The token that replaces `stale`; undefined if the profile holds no refresh token. A process that
 * waited for another uses the token that the other one got, and requests none.
 */
export const renewToken = (renewing: RenewOptions, stale: string): Promise<string | undefined> => {
  const { config, profile, redact } = renewing;
  return config.alone("refresh", async () => {
    const stored = config.readCredentials().profiles[profile];
    if (stored?.kind !== "token") return undefined;
    if (stored.accessToken !== stale) {
      redact(stored.accessToken);
      return stored.accessToken;
    }
    if (stored.refreshToken === undefined) return undefined;
    redact(stored.refreshToken);
    const body = { grant_type: "refresh_token", refresh_token: stored.refreshToken } as const;
    const lost = t`the access token could not be renewed`;
    const reply = await exchangeToken(renewing.client, body, lost, (error) =>
      error.reworded("unauthenticated", t`the login of profile '${profile}' has expired`, {
        todo: t`log in again: msg auth login --web -p ${profile}`,
      }),
    );
    redact(reply.access_token);
    const now = renewing.now();
    const entry = { ...stored, ...tokenEntry(reply, now), dateRenewed: now.toISOString() };
    await config.updateCredentials((all) => ({
      ...all,
      profiles: { ...all.profiles, [profile]: entry },
    }));
    return entry.accessToken;
  });
};

/** The same for the profile of a command. */
export const renewProfileToken = async (
  { session: { config, redact, clientAt }, clock: { now }, settings }: Ports,
  stale: string,
): Promise<string | undefined> => {
  const client = await clientAt(settings.baseUrl.value ?? "", undefined, settings.authUrl.value);
  return renewToken({ config, profile: settings.profile.value, client, now, redact }, stale);
};

/** Says nothing about the exchanged value: no connection, a stop, a rate limit, or a redirect of something else. */
const isPassing = ({ kind, http }: MsgError): boolean =>
  kind === "unreachable" ||
  kind === "interrupted" ||
  http?.status === 429 ||
  (http?.status !== undefined && http.status < 400);

/**
 * Exchanges what the body holds for a token. Asking again harms nothing: a lost answer leaves nothing unknown that
 * matters and is `lost`; a refusal is the error `refused`.
 */
export const exchangeToken = async (
  client: Client,
  body: Input<typeof getAccessToken>["body"],
  lost: string,
  refused: (error: MsgError) => MsgError,
): Promise<Reply<typeof getAccessToken>> => {
  try {
    return await client.call(getAccessToken, { body });
  } catch (thrown) {
    const error = asMsgError(thrown);
    if (isPassing(error)) throw error;
    if (error.kind !== "unknown") throw refused(error);
    throw error.reworded("unreachable", lost, { api: undefined, retryable: true, todo: runAgain });
  }
};
