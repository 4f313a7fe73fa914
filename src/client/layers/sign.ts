/** Proves who calls by a signature, a new one for each attempt. */

import { createHmac } from "node:crypto";
import { getBalance } from "../../contract/cash.ts";
import type { Credentials, KeyPair } from "../../contract/credentials.ts";
import type { Endpoint } from "../../contract/endpoint.ts";
import type { Answer, Layer, Wire } from "../../contract/wire.ts";
import { MsgError } from "../../errors.ts";
import { t } from "../../locale/locale.ts";
import { errorBody } from "../answers/decode.ts";
import type { Attempt, Signature } from "../client.ts";
import { encode } from "../encode.ts";
import type { ServiceClock } from "../service-clock.ts";

export interface SignOptions {
  readonly endpoint: Endpoint;
  readonly credentials: Credentials | undefined;
  readonly clock: ServiceClock;
  readonly random: (bytes: number) => Uint8Array;
  readonly log?: ((line: string) => void) | undefined;
  /** A new one for each attempt when left out. */
  readonly signature?: Signature | undefined;
  readonly onAttempt?: ((attempt: Attempt) => void) | undefined;
  /** The service itself, and nothing in its place, refused the date of the last attempt. */
  readonly onDateRefused?: (() => void) | undefined;
}

/**
 * Adds the Authorization header, unless the endpoint is open to all. Anything on the line may refuse a
 * date behind a request that was executed: reads show whether the service refuses this date and takes
 * another one. A read is then answered with that other date.
 */
export const sign =
  ({
    endpoint,
    credentials,
    clock,
    random,
    log,
    signature: fixed,
    onAttempt,
    onDateRefused,
  }: SignOptions): Layer =>
  (next) =>
  async (wire, signal) => {
    const needed = endpoint.needs.credentials;
    if (needed === "none" || (needed === "optional" && !credentials)) return next(wire, signal);
    if (credentials?.kind !== "key") throw noCredentials(endpoint);
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
    onAttempt?.({ wire, signature });
    const answer = await send(wire, signature);
    const other = isSkewed(answer) ? clock.otherDate(answer) : undefined;
    if (other === undefined) return answer;
    const isRead = endpoint.effect === "safe" && fixed === undefined;
    const read = isRead ? wire : encode(getBalance, {});
    const readAt = (at: string) =>
      send(read, { date: at, salt: newSalt(random) }).catch(() => undefined);
    const again = await readAt(date);
    const moved = again && isSkewed(again) ? await readAt(other) : undefined;
    if (!moved || !isTaken(moved)) return isRead && again ? again : answer;
    clock.adopt(moved);
    onDateRefused?.();
    return isRead ? moved : answer;
  };

const isSkewed = (answer: Answer): boolean =>
  answer.status >= 400 && errorBody(answer).serviceCode === "requesttimetooskewed";

/** The service answered in its own form, and found nothing wrong with the date. */
const isTaken = (answer: Answer): boolean =>
  !isSkewed(answer) && (answer.status < 300 || errorBody(answer).serviceCode !== undefined);

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

/** 32 characters that stand for 128 random bits: each byte is written whole, so none is likelier. */
export const newSalt = (random: (bytes: number) => Uint8Array): string =>
  Buffer.from(random(16)).toString("hex");

const noCredentials = (endpoint: Endpoint): MsgError =>
  new MsgError("unauthenticated", t`this profile has no credentials`, {
    code: "NoCredentials",
    where: `${endpoint.method} ${endpoint.path}`,
    todo: t`log in: msg auth login; or set MSG_API_KEY and MSG_API_SECRET`,
  });
