/** Proves who calls by a signature, a new one for each attempt. */
import { createHmac } from "node:crypto";
import type { Credentials, KeyPair } from "../../contract/credentials.ts";
import type { Endpoint } from "../../contract/endpoint.ts";
import type { Answer, Layer } from "../../contract/wire.ts";
import { MsgError } from "../../errors.ts";
import { errorBody } from "../answers/decode.ts";
import type { Attempt, Signature } from "../client.ts";
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
}

/**
 * Adds the Authorization header, unless the endpoint is open to all. A read whose date the service
 * refuses is signed once more where that taught another date.
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
  }: SignOptions): Layer =>
  (next) =>
  async (wire, signal) => {
    const needed = endpoint.needs.credentials;
    if (needed === "none" || (needed === "optional" && !credentials)) return next(wire, signal);
    if (credentials?.kind !== "key") throw noCredentials(endpoint);
    const attempt = async (): Promise<{ readonly answer: Answer; readonly isMoved: boolean }> => {
      const salt = fixed?.salt ?? newSalt(random);
      const date = fixed?.date ?? clock.signingDate();
      log?.(credentialLine(credentials, date));
      onAttempt?.({ wire, signature: { date, salt } });
      const authorization = signedHeader(credentials, date, salt);
      const { method, target, headers, body } = wire;
      const signed = { method, target, headers: { ...headers, authorization }, body };
      const answer = await next(signed, signal);
      return { answer, isMoved: clock.note(answer, date, isSkewed(answer)) };
    };
    const { answer, isMoved } = await attempt();
    const mayRepeat = endpoint.effect === "safe" && fixed === undefined;
    return isMoved && isSkewed(answer) && mayRepeat ? (await attempt()).answer : answer;
  };

const isSkewed = (answer: Answer): boolean =>
  answer.status >= 400 && errorBody(answer).serviceCode === "requesttimetooskewed";

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
  new MsgError("unauthenticated", "this profile has no credentials", {
    code: "NoCredentials",
    where: `${endpoint.method} ${endpoint.path}`,
    todo: "log in: msg auth login; or set MSG_API_KEY and MSG_API_SECRET",
  });
