/** Gets an access token with the refresh token of a profile: one process does, the others wait for it. */

import type { Client } from "../client/client.ts";
import type { ConfigStore } from "../config/files/store.ts";
import { getAccessToken } from "../contract/oauth.ts";
import { type ErrorKind, MsgError, runAgain } from "../errors.ts";
import { t } from "../locale/locale.ts";
import { tokenEntry } from "./stored-credentials.ts";

export interface RenewOptions {
  readonly config: ConfigStore;
  readonly profile: string;
  /** A client for the host that tokens come from. */
  readonly client: Client;
  readonly now: () => Date;
  readonly redact: (secret: string) => void;
}

/**
 * The token that replaces `stale`; undefined where the profile holds none to get it with. A process
 * that waited for another finds what that one got, and asks for none.
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
    const reply = await exchange(renewing, stored.refreshToken);
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

/** These say nothing of the refresh token: the line, or the operator, was in the way. */
const passing: ReadonlySet<ErrorKind> = new Set(["unreachable", "interrupted"]);

/** So does a limit, and what is no answer of the service: a redirect. */
const isPassing = ({ http }: MsgError): boolean =>
  http?.status === 429 || (http?.status !== undefined && http.status < 400);

const exchange = async ({ client, profile }: RenewOptions, refreshToken: string) => {
  try {
    return await client.call(getAccessToken, {
      body: { grant_type: "refresh_token", refresh_token: refreshToken },
    });
  } catch (error) {
    if (!(error instanceof MsgError) || passing.has(error.kind) || isPassing(error)) throw error;
    // Asking again for a token harms nothing: an answer that was lost is no doubt about anything.
    if (error.kind === "unknown")
      throw new MsgError("unreachable", t`the access token could not be renewed`, {
        ...{ code: error.code, where: error.where, http: error.http, cause: error },
        retryable: true,
        todo: runAgain,
      });
    throw new MsgError("unauthenticated", t`the login of profile '${profile}' has expired`, {
      code: error.code,
      where: error.where,
      http: error.http,
      api: error.api,
      todo: t`log in again: msg auth login --web -p ${profile}`,
      cause: error,
    });
  }
};
