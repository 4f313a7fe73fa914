/** Proves who calls by a signature, made anew for each attempt. */
import { createHmac } from "node:crypto";
import type { Credentials, KeyPair } from "../contract/credentials.ts";
import type { Endpoint } from "../contract/endpoint.ts";
import type { Layer } from "../contract/wire.ts";
import { MsgError } from "../errors.ts";
import type { Attempt, Signature } from "./client.ts";

export interface SignOptions {
  readonly endpoint: Endpoint;
  readonly credentials: Credentials | undefined;
  readonly now: () => Date;
  readonly random: (bytes: number) => Uint8Array;
  readonly log?: ((line: string) => void) | undefined;
  /** Made anew for each attempt when left out. */
  readonly signature?: Signature | undefined;
  readonly onAttempt?: ((attempt: Attempt) => void) | undefined;
}

/** Adds the Authorization header, unless the endpoint is open to all. */
export const sign =
  ({ endpoint, credentials, now, random, log, signature: fixed, onAttempt }: SignOptions): Layer =>
  (next) =>
  (wire, signal) => {
    const needed = endpoint.needs.credentials;
    if (needed === "none" || (needed === "optional" && !credentials)) return next(wire, signal);
    if (credentials?.kind !== "key") return Promise.reject(noCredentials(endpoint));
    const salt = fixed?.salt ?? newSalt(random);
    const date = fixed?.date ?? signingDate(now());
    log?.(credentialLine(credentials, date));
    onAttempt?.({ wire, signature: { date, salt } });
    const authorization = signedHeader(credentials, date, salt);
    const { method, target, headers, body } = wire;
    return next({ method, target, headers: { ...headers, authorization }, body }, signal);
  };

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

/** UTC to the second. */
export const signingDate = (now: Date): string => `${now.toISOString().slice(0, 19)}Z`;

/** 32 characters that stand for 128 random bits: each byte is written whole, so none is likelier. */
export const newSalt = (random: (bytes: number) => Uint8Array): string =>
  Buffer.from(random(16)).toString("hex");

const noCredentials = (endpoint: Endpoint): MsgError =>
  new MsgError("unauthenticated", "this profile has no credentials", {
    code: "NoCredentials",
    where: `${endpoint.method} ${endpoint.path}`,
    todo: "log in: msg auth login; or set MSG_API_KEY and MSG_API_SECRET",
  });
