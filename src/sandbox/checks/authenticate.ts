/** Who calls: an access token, or the signature of an API key, checked step by step. */
import { createHmac } from "node:crypto";
import * as v from "valibot";
import { seoulOffsetMs } from "../../contract/time.ts";
import { sameSecret } from "../../contract/wire.ts";
import { assumed } from "../assumptions.ts";
import { type ClockReading, timeOf } from "../clock.ts";
import { Refusal, type ServiceRequest, validationError } from "../service.ts";
import { signatureMs } from "../store/callers.ts";
import type { Store } from "../store/store.ts";
import { readToken } from "../tokens.ts";
import { readInstant } from "./dates.ts";

/**
 * Finds the caller of a request. Throws Refusal with the code of the first step that fails; the
 * signature is remembered last, so that a forged request cannot use up a good one.
 */
export const authenticate = (request: ServiceRequest, store: Store, times: ClockReading) => {
  const { headers, address } = request;
  const header = headers.authorization;
  const [, token] = /^\s*bearer\s+(\S.*)$/is.exec(header ?? "") ?? [];
  if (token !== undefined)
    return { ...holderOfToken(token.trim(), store, times.business), apiKey: undefined, address };
  const { signing: signingTime } = times;
  const signed = parseAuthorization(header);
  const key = store.callers.byKey(signed.apiKey);
  if (key === undefined || key.keyStatus !== "ACTIVE") {
    const text = `The API key '${signed.apiKey}' is unknown or disabled.`;
    throw new Refusal(403, "InvalidAPIKey", text);
  }
  checkSalt(signed.salt);
  checkDate(signed.date, signingTime, store.settings.get("lenientDates"));
  checkSignature(signed, key.secret);
  if (!store.callers.useSignature(key.apiKey, signed.signature, signingTime)) {
    const text =
      "This signature was used within the last 15 minutes. Sign every request with a new salt.";
    throw new Refusal(403, "DuplicatedSignature", text);
  }
  const { secret: _secret, keyStatus: _status, ...holder } = key;
  return { ...holder, scopes: undefined, address };
};

const checkSalt = (salt: string): void => {
  const size = Buffer.byteLength(salt);
  if (size >= 12 && size <= 64) return;
  throw validationError(`'salt' must be 12 to 64 bytes, not ${size}.`, assumed("salt-and-date"));
};

const checkDate = (date: string, signingTime: number, isLenient: boolean): void => {
  const instant = readInstant(date);
  if (instant === undefined) {
    const text = `'date' must be an ISO 8601 time, not '${date}'.`;
    throw validationError(text, assumed("salt-and-date"));
  }
  const skewMs = instant.getTime() - signingTime;
  if (Math.abs(skewMs) < signatureMs) return;
  // Seoul time labelled as UTC.
  const isSeoul = Math.abs(skewMs - seoulOffsetMs) < signatureMs;
  if (isSeoul && isLenient) return;
  const side = skewMs > 0 ? "ahead of" : "behind";
  throw new Refusal(
    403,
    "RequestTimeTooSkewed",
    `The date '${date}' is ${Math.round(Math.abs(skewMs) / 1000)} seconds ${side} the service's ` +
      `clock (${timeOf(signingTime)}); less than 900 are allowed.` +
      (isSeoul ? " It is the wall clock of Seoul: msg sandbox set --lenient-dates takes it." : ""),
  );
};

const checkSignature = (signed: SignedHeader, secret: string): void => {
  const expected = createHmac(signed.algorithm, secret)
    .update(signed.date + signed.salt)
    .digest("hex");
  if (sameSecret(expected, signed.signature)) return;
  throw new Refusal(
    403,
    "SignatureDoesNotMatch",
    "The signature does not match: it is the HMAC of date and salt, written together, under the API secret.",
  );
};

type SignedHeader = ReturnType<typeof parseAuthorization>;

const algorithms: ReadonlyMap<string, string> = new Map([
  ["hmac-sha256", "sha256"],
  ["hmac-md5", "md5"],
]);

/**
 * Reads `HMAC-SHA256 apiKey=…, date=…`: scheme and names in any case, parameters in any order, values
 * unquoted and split at the first `=`. `signature` is lower case, so that a replay cannot hide. Throws Refusal
 * 401 for anything else.
 */
const parseAuthorization = (header: string | undefined) => {
  if (header === undefined) throw unauthorized("The Authorization header is missing.");
  const [, scheme = "", rest = ""] = /^\s*(\S+)\s*(.*)$/s.exec(header) ?? [];
  if (scheme.toLowerCase() === "bearer")
    throw unauthorized("The Authorization header needs an access token after 'bearer'.");
  const algorithm = algorithms.get(scheme.toLowerCase());
  if (algorithm === undefined)
    throw unauthorized("The Authorization header must begin with HMAC-SHA256 or bearer.");
  const given = parameters(rest);
  const [apiKey, date, salt, signature] = ["apikey", "date", "salt", "signature"].map((name) =>
    given.get(name),
  );
  if (!apiKey || !date || !salt || !signature)
    throw unauthorized("The Authorization header needs apiKey, date, salt and signature.");
  return { algorithm, apiKey, date, salt, signature: signature.toLowerCase() };
};

const parameters = (text: string): ReadonlyMap<string, string> =>
  new Map(
    text.split(",").map((part) => {
      const at = part.indexOf("=");
      const name = at < 0 ? part : part.slice(0, at);
      return [name.trim().toLowerCase(), at < 0 ? "" : part.slice(at + 1).trim()] as const;
    }),
  );

const unauthorized = (message: string): Refusal =>
  new Refusal(401, "Unauthorized", message, assumed("no-credentials"));

const Claims = v.object({ exp: v.number(), jti: v.string() });

/** Throws Refusal 401 for a token that is not ours, is expired, or was revoked. */
const holderOfToken = (token: string, store: Store, now: number) => {
  const read = v.safeParse(Claims, readToken(token));
  if (!read.success) throw badToken("The access token is not one of this service.");
  const { exp, jti } = read.output;
  if (exp * 1_000 <= now) throw badToken("The access token is expired.");
  const granted = store.oauth.grants.read(jti.split(".")[0] ?? "");
  const member = granted && store.callers.member(granted.memberId);
  if (!member || granted.revoked === 1) throw badToken("The access token is revoked.");
  return { ...member, scopes: granted.scope.split(" ") };
};

const badToken = (why: string): Refusal =>
  new Refusal(401, "Unauthorized", why, assumed("bearer-refused"));
