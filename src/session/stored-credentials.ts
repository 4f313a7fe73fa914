/** What is stored of the credentials of a profile, and how it is printed: never the secret, of the key its end. */

import { readToken } from "../client/token.ts";
import type { StoredCredential } from "../config/files/credentials.ts";
import { requireCredentials } from "../config/resolve.ts";
import type { Credentials } from "../contract/credentials.ts";
import type { Reply } from "../contract/endpoint.ts";
import type { getAccessToken } from "../contract/oauth.ts";
import { usageError } from "../errors.ts";
import { t } from "../locale/locale.ts";
import type { Ports } from "../ports.ts";

/** What msg keeps of a token reply: the old refresh token stays where the reply brings none. */
export const tokenEntry = (reply: Reply<typeof getAccessToken>, now: Date) => {
  const claims = readToken(reply.access_token);
  const seconds = reply.expires_in;
  const expires =
    claims?.expires ??
    (seconds === undefined ? undefined : new Date(now.getTime() + seconds * 1_000));
  const scope = claims?.scopes.join(" ");
  return {
    accessToken: reply.access_token,
    ...(reply.refresh_token !== undefined && { refreshToken: reply.refresh_token }),
    ...(expires && { dateExpires: expires.toISOString() }),
    ...(scope !== undefined && { scope }),
  };
};

/** Throws where the profile is not logged in, and where it is by an API key. */
export const readStoredToken = (ctx: Ports) => {
  const {
    settings,
    session: { config },
  } = ctx;
  const profile = settings.profile.value;
  const credentials = requireCredentials(settings);
  if (credentials.kind === "key")
    throw usageError(t`profile '${profile}' is logged in with an API key and has no token`, {
      code: "NoToken",
      todo: t`log in with OAuth2: msg auth login --web -p <name>`,
    });
  const entry = config.readCredentials().profiles[profile];
  return settings.credentials.origin === "profile" && entry?.kind === "token"
    ? entry
    : { ...credentials, ...unknown };
};

/** A token of the environment brings nothing along. */
const unknown = {
  refreshToken: undefined,
  scope: undefined,
  dateExpires: undefined,
  dateRenewed: undefined,
};

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

/** What `auth status` prints. */
export interface AccountRecord {
  readonly profile: string;
  readonly kind: Credentials["kind"];
  /** Null for the sandbox in this process. */
  readonly host: string | null;
  readonly apiKeyTail: string | null;
  /** The file that holds the secret; null where it comes from elsewhere. */
  readonly stored: string | null;
  readonly from: string;
}
/** A call that may have moved money, as `auth status` lists it. */
export interface OpenPayment {
  readonly command: string;
  readonly amount: string | null;
  readonly started: string;
}

/** `auth status` tells whose credentials these are too, and of calls that may have moved money. */
export interface StatusRecord extends AccountRecord {
  /** Null where no read says it, or it could not be read now. */
  readonly accountId: string | null;
  readonly role: string | null;
  /** Null where the credentials are not stored. */
  readonly dateStored: string | null;
  /** Of a token: how long it is valid, and what it may do. */
  readonly dateExpires: string | null;
  readonly scope: string | null;
  /** Calls of this profile whose outcome is unknown. */
  readonly inDoubt: readonly OpenPayment[];
}

export const accountColumns = ["profile", "kind", "host", "apiKeyTail", "stored", "from"] as const;

export const apiKeyTail = (credentials: Credentials): string | null =>
  credentials.kind === "key" ? credentials.apiKey.slice(-4) : null;

/** The last four characters of the key that proves who calls; none with an access token. */
export const signingKeyTail = ({ settings }: Ports): string | undefined => {
  const credentials = settings.credentials.value;
  return credentials?.kind === "key" ? credentials.apiKey.slice(-4) : undefined;
};
