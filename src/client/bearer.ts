/** Proves who calls by an access token, and gets another one when that is at its end (facts/auth-cash 3.5). */
import type { Endpoint } from "../contract/endpoint.ts";
import { needsOf } from "../contract/needs.ts";
import type { Layer, Wire } from "../contract/wire.ts";
import type { Attempt } from "./client.ts";
import { readToken } from "./token.ts";

/** A token for one that has ended; undefined where there is nothing to get it with. */
export type Renew = (stale: string) => Promise<string | undefined>;

export interface BearerOptions {
  readonly endpoint: Endpoint;
  /** The token that is used now: a call that renews it does so for those that follow. */
  readonly held: { token: string };
  readonly renew: Renew | undefined;
  readonly now: () => Date;
  readonly log?: ((line: string) => void) | undefined;
  readonly onAttempt?: ((attempt: Attempt) => void) | undefined;
}

/** Tokens are renewed this long before their end. */
export const earlyMs = 60_000;

/**
 * Adds the token. One that ends within a minute is renewed first; one that was refused although it
 * holds what the endpoint needs is renewed, and the request repeated once: a 401 did nothing.
 */
export const bearer =
  ({ endpoint, held, renew, now, log, onAttempt }: BearerOptions): Layer =>
  (next) => {
    const renewed = async (): Promise<boolean> => {
      const fresh = await renew?.(held.token);
      if (fresh === undefined || fresh === held.token) return false;
      log?.("* the access token was renewed");
      held.token = fresh;
      return true;
    };
    return async (wire, signal) => {
      const ends = readToken(held.token)?.expires.getTime();
      const early = ends !== undefined && ends - earlyMs <= now().getTime();
      if (early) await renewed();
      log?.("> authorization: Bearer <redacted>");
      onAttempt?.({ wire, signature: undefined });
      const answer = await next(withToken(wire, held.token), signal);
      if (answer.status !== 401 || early || lacksScope(endpoint, held.token)) return answer;
      return (await renewed()) ? next(withToken(wire, held.token), signal) : answer;
    };
  };

const withToken = (wire: Wire, token: string): Wire => ({
  ...wire,
  headers: { ...wire.headers, authorization: `Bearer ${token}` },
});

/** Another token would hold the same scopes. */
const lacksScope = (endpoint: Endpoint, token: string): boolean => {
  const { scope } = needsOf(endpoint);
  const held = readToken(token)?.scopes ?? [];
  return scope !== undefined && !held.includes(scope) && !held.includes("*");
};
