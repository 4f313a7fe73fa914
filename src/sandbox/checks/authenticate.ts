/** Who calls: an access token, or the signature of an API key, checked step by step. */
import { createHmac, timingSafeEqual } from "node:crypto";
import { assumed } from "../assumptions/assumption.ts";
import type { Times } from "../clock.ts";
import type { VerifiedCaller } from "../service.ts";
import { Refusal } from "../service.ts";
import type { Store } from "../store/store.ts";
import { parseAuthorization, type SignedHeader } from "./authorization-header.ts";
import { authenticateToken } from "./bearer.ts";
import { readInstant } from "./dates.ts";

/** Skew from which on a request is refused, and how long a signature is remembered. */
const windowMs = 900_000;

/** What of a request proves who sent it. */
export interface Credentials {
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly address: string;
  readonly claims?: unknown;
}

/**
 * Finds the caller of a request. Throws Refusal with the code of the first step that fails; the
 * signature is remembered last, so that a forged request cannot use up a good one.
 */
export const authenticate = (
  { headers, address, claims }: Credentials,
  store: Store,
  times: Times,
): VerifiedCaller => {
  const header = headers.authorization;
  if (/^\s*bearer\s+\S/i.test(header ?? ""))
    return authenticateToken(claims, address, store, times.business);
  const { signing: signingTime } = times;
  const signed = parseAuthorization(header);
  const key = store.callers.byKey(signed.apiKey);
  if (key === undefined || key.keyStatus !== "ACTIVE") {
    throw new Refusal(
      403,
      "InvalidAPIKey",
      `The API key '${signed.apiKey}' is unknown or disabled.`,
    );
  }
  checkSalt(signed.salt);
  checkDate(signed.date, signingTime);
  checkSignature(signed, key.secret);
  if (!store.signatures.take(key.apiKey, signed.signature, signingTime.getTime())) {
    throw new Refusal(
      403,
      "DuplicatedSignature",
      "This signature was used within the last 15 minutes. Sign every request with a new salt.",
    );
  }
  const { accountId, accountStatus, authenticated, memberId, memberStatus, role, apiKey } = key;
  const account = { accountId, accountStatus, authenticated };
  return { ...account, memberId, memberStatus, role, apiKey, scopes: undefined, address };
};

const checkSalt = (salt: string): void => {
  const size = Buffer.byteLength(salt);
  if (size >= 12 && size <= 64) return;
  throw new Refusal(
    400,
    "ValidationError",
    `'salt' must be 12 to 64 bytes, not ${size}.`,
    assumed("salt-and-date"),
  );
};

const checkDate = (date: string, signingTime: Date): void => {
  const instant = readInstant(date);
  if (instant === undefined) {
    throw new Refusal(
      400,
      "ValidationError",
      `'date' must be an ISO 8601 time, not '${date}'.`,
      assumed("salt-and-date"),
    );
  }
  const skewMs = instant.getTime() - signingTime.getTime();
  if (Math.abs(skewMs) < windowMs) return;
  const side = skewMs > 0 ? "ahead of" : "behind";
  throw new Refusal(
    403,
    "RequestTimeTooSkewed",
    `The date '${date}' is ${Math.round(Math.abs(skewMs) / 1000)} seconds ${side} the service's ` +
      `clock (${signingTime.toISOString()}); less than 900 are allowed.`,
  );
};

const checkSignature = (signed: SignedHeader, secret: string): void => {
  const expected = createHmac(signed.algorithm, secret)
    .update(signed.date + signed.salt)
    .digest("hex");
  const [left, right] = [Buffer.from(expected), Buffer.from(signed.signature)];
  if (left.length === right.length && timingSafeEqual(left, right)) return;
  throw new Refusal(
    403,
    "SignatureDoesNotMatch",
    "The signature does not match: it is the HMAC of date and salt, written together, under the API secret.",
  );
};
