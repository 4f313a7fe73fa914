/** What an access token says of itself; whether it is valid is the service's to say. */

import type { Endpoint } from "../contract/endpoint.ts";
import { needsOf, scopes } from "../contract/needs.ts";
import { asRecord, asText, readJson } from "../json/read-json.ts";
import { t } from "../locale/locale.ts";

/** Another login asks for it beside what is `held`; what apps may not ask for needs a key. */
export const scopeHint = (scope: string, held: readonly string[], login: string): string =>
  scopes.some((it) => it.name === scope && !it.apps)
    ? t`apps may not ask for it; log in with an API key: ${login}`
    : t`log in with it: ${login} --web --scope "${[...held, scope].join(" ")}"`;

/** The scope that an endpoint needs and a token does not hold; undefined where it lacks none. */
export const missingScope = (
  endpoint: Pick<Endpoint, "needs" | "alsoNeeds">,
  held: readonly string[],
): string | undefined => {
  const { scope } = needsOf(endpoint);
  return scope === undefined || held.includes(scope) || held.includes("*") ? undefined : scope;
};

/** The instant of so many milliseconds since 1970; undefined for more than a date can show. */
export const instantAt = (ms: number): Date | undefined => {
  const instant = new Date(ms);
  return Number.isNaN(instant.getTime()) ? undefined : instant;
};

/** The claims of a JWT, or undefined where the token is not one, or says no time at which it ends. */
export const readToken = (accessToken: string) => {
  const claims = asRecord(readJson(Buffer.from(accessToken.split(".")[1] ?? "", "base64url")));
  const expires = typeof claims.exp === "number" ? instantAt(claims.exp * 1_000) : undefined;
  if (expires === undefined) return undefined;
  return { expires, scopes: asText(claims.scope)?.split(" ") ?? [] };
};
