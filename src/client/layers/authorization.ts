/** Adds the Authorization header: a signature, new for each attempt, or an access token that is renewed in time. */

import { createHmac } from "node:crypto";
import { getBalance } from "../../contract/cash.ts";
import type { Endpoint } from "../../contract/endpoint.ts";
import type { Answer, KeyPair, Layer, Send, Wire } from "../../contract/wire.ts";
import { MsgError } from "../../errors.ts";
import { t } from "../../locale/locale.ts";
import type { LayerContext, Signature } from "../client.ts";
import { decode, encode, errorBody } from "../codec.ts";
import { outlying } from "../service-clock.ts";
import { missingScope, readToken } from "../token.ts";

/**
 * Adds the Authorization header, unless the endpoint is open to all. Anything on the line may refuse a
 * date after a request that was executed: reads show whether the service refuses this date and takes
 * another one. A read is then answered with that other date.
 */
export const sign =
  (context: LayerContext): Layer =>
  (next) =>
  async (wire, signal) => {
    const { endpoint, credentials, login, clock, random, log, signature: fixed } = context;
    const needed = endpoint.needs.credentials;
    if (needed === "none" || (needed === "optional" && !credentials)) return next(wire, signal);
    if (credentials?.kind !== "key") throw noCredentialsError(endpoint, login);
    const send = async (request: Wire, signature: Signature): Promise<Answer> => {
      log?.(credentialLine(credentials, signature.date));
      const authorization = signedHeader(credentials, signature.date, signature.salt);
      const headers = { ...request.headers, authorization };
      const answer = await next({ ...request, headers }, signal);
      if (!isSkewed(answer)) clock.note(answer, signature.date);
      return answer;
    };
    const date = fixed?.date ?? clock.signingDate();
    const signature = { date, salt: fixed?.salt ?? newSalt(random) };
    context.onAttempt?.({ wire, signature });
    const answer = await send(wire, signature);
    const other = isSkewed(answer) ? clock.otherDate(answer) : undefined;
    if (other === undefined) return answer;
    const isRead = endpoint.effect === "safe" && fixed === undefined;
    const probe = isRead ? endpoint : getBalance;
    const probeWire = isRead ? wire : encode(getBalance, {});
    const probeWith = (signedDate: string) =>
      send(probeWire, { date: signedDate, salt: newSalt(random) }).catch(() => undefined);
    const again = await probeWith(date);
    const corrected = again && isSkewed(again) ? await probeWith(other) : undefined;
    if (!corrected || !isDateAccepted(probe, corrected)) return isRead && again ? again : answer;
    const latest = await probeWith(outlying(other));
    if (latest && isDateAccepted(probe, latest)) clock.adopt(corrected);
    context.onDateRefused?.();
    return isRead ? corrected : answer;
  };

const isSkewed = (answer: Answer): boolean =>
  answer.status >= 400 && errorBody(answer).serviceCode === "requesttimetooskewed";

/** The service answered in its own form, not with a page, and found nothing wrong with the date. */
const isDateAccepted = (asked: Endpoint, answer: Answer): boolean =>
  !isSkewed(answer) &&
  ("value" in decode(asked, answer) || errorBody(answer).serviceCode !== undefined);

/** The header as `--debug` shows it: the key's tail, and no signature. */
const credentialLine = (credentials: KeyPair, date: string): string =>
  `> authorization: HMAC-SHA256 apiKey=****${credentials.apiKey.slice(-4)}, date=${date}, salt=<32>, signature=<redacted>`;

/** The whole header value for one date and one salt. */
export const signedHeader = (
  { apiKey, apiSecret }: Omit<KeyPair, "kind">,
  date: string,
  salt: string,
): string =>
  `HMAC-SHA256 apiKey=${apiKey}, date=${date}, salt=${salt}, signature=${signature(apiSecret, date, salt)}`;

/** Lower-case hex HMAC-SHA256 of date and salt, exactly the characters that the header carries. */
export const signature = (apiSecret: string, date: string, salt: string): string =>
  createHmac("sha256", apiSecret)
    .update(date + salt)
    .digest("hex");

/** 32 characters for 128 random bits: each byte is written whole, so no value is likelier. */
export const newSalt = (random: (bytes: number) => Uint8Array): string =>
  Buffer.from(random(16)).toString("hex");

const noCredentialsError = (endpoint: Endpoint, login: string): MsgError =>
  new MsgError("unauthenticated", t`this profile has no credentials`, {
    code: "NoCredentials",
    where: `${endpoint.method} ${endpoint.path}`,
    todo: t`log in: ${login}; or set MSG_API_KEY and MSG_API_SECRET`,
  });

/** With a token. */
type BearerContext = Pick<
  LayerContext,
  "endpoint" | "renew" | "clock" | "now" | "log" | "onAttempt"
> & { readonly tokenHolder: NonNullable<LayerContext["tokenHolder"]> };

/** Tokens are renewed this long before they expire. */
export const renewEarlyMs = 60_000;

/**
 * Adds the token. One that ends within a minute is renewed first; one that was refused although it
 * holds what the endpoint needs is renewed, and the request repeated once. A write is repeated only
 * where the service itself refused the token: a gateway may answer 401 after the execution.
 */
export const bearer =
  ({ endpoint, tokenHolder, renew, clock, now, log, onAttempt }: BearerContext): Layer =>
  (next) => {
    const renewed = async (used: string): Promise<boolean> => {
      // Another call renewed it while this one was under way.
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
      const headers = { ...wire.headers, authorization: `bearer ${tokenHolder.token}` };
      const answer = await next({ ...wire, headers }, signal);
      clock.note(answer, undefined);
      return answer;
    };
    return async (wire, signal) => {
      const ends = readToken(tokenHolder.token)?.expires.getTime();
      if (ends !== undefined && ends - renewEarlyMs <= now().getTime())
        await renewed(tokenHolder.token);
      const used = tokenHolder.token;
      const answer = await attempt(wire, signal);
      if (!isRefused(endpoint, answer)) return answer;
      // Another token would hold the same scopes.
      if (missingScope(endpoint, readToken(used)?.scopes ?? []) !== undefined) return answer;
      return (await renewed(used)) ? attempt(wire, signal) : answer;
    };
  };

const isRefused = (endpoint: Endpoint, answer: Answer): boolean =>
  answer.status === 401 &&
  (endpoint.effect === "safe" || errorBody(answer).serviceCode !== undefined);
