/** The access token of a profile: got for a code or a refresh token, kept, read and renewed. */

import type { Client } from "../client/client.ts";
import { instantAt, readToken } from "../client/token.ts";
import type { StoredCredential } from "../config/credentials.ts";
import { requireCredentials } from "../config/resolve.ts";
import type { ConfigStore } from "../config/store.ts";
import { getAccessToken } from "../contract/apps.ts";
import type { Input, Reply } from "../contract/endpoint.ts";
import type { AccessToken } from "../contract/wire.ts";
import { asMsgError, MsgError, runAgain, usageError } from "../errors.ts";
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

export interface RenewOptions {
  readonly config: ConfigStore;
  readonly profile: string;
  /** When the profile was logged in; another login may be of another account. */
  readonly dateStored: string | undefined;
  /** A client for the host that issues tokens. */
  readonly client: Client;
  readonly now: () => Date;
  readonly redact: (secret: string) => void;
}

/**
 * The token that replaces `stale`; undefined if the profile holds no refresh token. A process that
 * waited for another uses the token that the other one got, and requests none. Throws MsgError
 * (unauthenticated) if the login has expired or is another one now.
 */
export const renewToken = (renewing: RenewOptions, stale: string): Promise<string | undefined> => {
  const { config, profile, dateStored, redact } = renewing;
  return config.withLock("refresh", async () => {
    const stored = config.readCredentials().profiles[profile];
    if (stored?.kind !== "token" || stored.dateStored !== dateStored)
      throw otherLoginError(profile);
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
    const renewed = { ...tokenEntry(reply, now), dateRenewed: now.toISOString() };
    // Meanwhile the profile may have been renamed, logged out, or logged in to another account.
    const renew = (it: StoredCredential): StoredCredential =>
      it.kind === "token" && it.accessToken === stale ? { ...it, ...renewed } : it;
    await config.updateCredentials((all) => ({
      ...all,
      profiles: Object.fromEntries(
        Object.entries(all.profiles).map(([name, it]) => [name, renew(it)]),
      ),
    }));
    return renewed.accessToken;
  });
};

/** The error for a profile that was logged in anew since the command began: that may be another account. */
export const otherLoginError = (profile: string): MsgError =>
  new MsgError(
    "unauthenticated",
    t`the login of profile '${profile}' was changed since this command began`,
    {
      code: "OtherLogin",
      todo: ({ again = t`run the command again` }) =>
        t`see whose it is now: msg auth status -p ${profile}; then ${again}`,
    },
  );

/** The same for the profile of a command. */
export const renewProfileToken = async (
  { session: { config, redact, clientAt }, clock: { now }, settings }: Ports,
  { accessToken: stale, dateStored }: AccessToken,
): Promise<string | undefined> => {
  const client = await clientAt(settings.baseUrl.value ?? "", undefined, settings.authUrl.value);
  const profile = settings.profile.value;
  return renewToken({ config, profile, dateStored, client, now, redact }, stale);
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
