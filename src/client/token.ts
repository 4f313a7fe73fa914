/** What an access token says about itself; only the service decides whether it is valid. */

import type { Endpoint } from "../contract/endpoint.ts";
import { needsOf, scopes } from "../contract/needs.ts";
import type { Credentials } from "../contract/wire.ts";
import { asRecord, asText, readJson } from "../json/read-json.ts";
import { t } from "../locale/locale.ts";

/** Another login asks for it in addition to what is `held`; scopes that apps may not ask for need a key. */
export const scopeHint = (scope: string, held: readonly string[], login: string): string =>
  scopes.some((it) => it.name === scope && !it.apps)
    ? t`apps may not ask for it; log in with an API key: ${login}`
    : t`log in with it: ${login} --web --scope "${[...held, scope].join(" ")}"`;

/** The scope that an endpoint needs and a token does not hold; undefined if it lacks none. */
export const missingScope = (
  endpoint: Pick<Endpoint, "needs" | "alsoNeeds">,
  held: readonly string[],
): string | undefined => {
  const { scope } = needsOf(endpoint);
  return scope === undefined || held.includes(scope) || held.includes("*") ? undefined : scope;
};

/** The instant this many milliseconds after 1970; undefined for more than a date can show. */
export const instantAt = (ms: number): Date | undefined => {
  const instant = new Date(ms);
  return Number.isNaN(instant.getTime()) ? undefined : instant;
};

/** The account that an access token names, as no scope lets it read the balance; undefined for a key, too. */
export const tokenAccount = (credentials: Credentials | undefined): string | undefined =>
  credentials?.kind === "token" ? readToken(credentials.accessToken)?.accountId : undefined;

/** The claims of a JWT, or undefined if the token is not a JWT or has no expiry time. */
export const readToken = (accessToken: string) => {
  const claims = asRecord(readJson(Buffer.from(accessToken.split(".")[1] ?? "", "base64url")));
  const expires = typeof claims.exp === "number" ? instantAt(claims.exp * 1_000) : undefined;
  if (expires === undefined) return undefined;
  return {
    expires,
    scopes: asText(claims.scope)?.split(" ") ?? [],
    accountId: asText(claims.accountId),
  };
};
