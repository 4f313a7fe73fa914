/** Proves who calls by an access token, and gets another one when that is at its end. */
import type { Endpoint } from "../../contract/endpoint.ts";
import type { Answer, Layer, Send, Wire } from "../../contract/wire.ts";
import { errorBody } from "../answers/decode.ts";
import type { Attempt } from "../client.ts";
import type { ServiceClock } from "../service-clock.ts";
import { missingScope, readToken } from "../token.ts";

/** A token for one that has ended; undefined where there is nothing to get it with. */
export type Renew = (stale: string) => Promise<string | undefined>;

export interface BearerOptions {
  readonly endpoint: Endpoint;
  /** The token that is used now: a call that renews it does so for those that follow. */
  readonly tokenHolder: { token: string };
  readonly renew: Renew | undefined;
  readonly clock: ServiceClock;
  readonly now: () => Date;
  readonly log?: ((line: string) => void) | undefined;
  readonly onAttempt?: ((attempt: Attempt) => void) | undefined;
}

/** Tokens are renewed this long before their end. */
export const renewEarlyMs = 60_000;

/**
 * Adds the token. One that ends within a minute is renewed first; one that was refused although it
 * holds what the endpoint needs is renewed, and the request repeated once. A write is repeated only
 * where the service itself refused the token: a gateway may answer 401 behind the execution.
 */
export const bearer =
  ({ endpoint, tokenHolder, renew, clock, now, log, onAttempt }: BearerOptions): Layer =>
  (next) => {
    const renewed = async (used: string): Promise<boolean> => {
      // Another call has renewed it while this one was under way.
      if (tokenHolder.token !== used) return true;
      const fresh = await renew?.(used);
      if (fresh === undefined || fresh === used) return false;
      log?.("* the access token was renewed");
      tokenHolder.token = fresh;
      return true;
    };
    const attempt: Send = async (wire, signal) => {
      log?.("> authorization: bearer <redacted>");
      onAttempt?.({ wire, signature: undefined });
      const answer = await next(withToken(wire, tokenHolder.token), signal);
      clock.note(answer, undefined);
      return answer;
    };
    return async (wire, signal) => {
      const ends = readToken(tokenHolder.token)?.expires.getTime();
      const isEarly = ends !== undefined && ends - renewEarlyMs <= now().getTime();
      if (isEarly) await renewed(tokenHolder.token);
      const used = tokenHolder.token;
      const answer = await attempt(wire, signal);
      if (!isRefused(endpoint, answer) || isEarly || isLacking(endpoint, used)) return answer;
      return (await renewed(used)) ? attempt(wire, signal) : answer;
    };
  };

const withToken = (wire: Wire, token: string): Wire => ({
  ...wire,
  headers: { ...wire.headers, authorization: `bearer ${token}` },
});

const isRefused = (endpoint: Endpoint, answer: Answer): boolean =>
  answer.status === 401 &&
  (endpoint.effect === "safe" || errorBody(answer).serviceCode !== undefined);

/** Another token would hold the same scopes. */
const isLacking = (endpoint: Endpoint, token: string): boolean =>
  missingScope(endpoint, readToken(token)?.scopes ?? []) !== undefined;
