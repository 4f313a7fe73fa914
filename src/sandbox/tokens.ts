/** Access tokens: JWTs of HS256. */
import { createHmac } from "node:crypto";
import { sameSecret } from "../contract/wire.ts";
import { memberOf, tryJson } from "../json/read-json.ts";

/** Public, as the keys of the sandbox are: its tokens are worth nothing elsewhere. */
const secret = "sandbox-jwt-secret";

export const signToken = (claims: Readonly<Record<string, unknown>>): string => {
  const signed = [{ alg: "HS256", typ: "JWT" }, claims].map(encoded).join(".");
  return `${signed}.${signatureOf(signed)}`;
};

/** The claims of a token; undefined if it is not the sandbox's. Its expiry is checked by business time. */
export const readToken = (token: string): unknown => {
  const [, signed = "", head = "", claims = "", signature = ""] =
    /^(([\w-]+)\.([\w-]+))\.([\w-]+)$/.exec(token) ?? [];
  const isOurs =
    memberOf(decoded(head), "alg") === "HS256" && sameSecret(signatureOf(signed), signature);
  return isOurs ? decoded(claims) : undefined;
};

const signatureOf = (signed: string): string =>
  createHmac("sha256", secret).update(signed).digest("base64url");

const encoded = (value: unknown): string =>
  Buffer.from(JSON.stringify(value)).toString("base64url");

const decoded = (text: string): unknown => tryJson(Buffer.from(text, "base64url").toString());
