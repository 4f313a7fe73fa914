/** What proves who calls: a key pair that signs each request, or an access token. */
import { createHash, timingSafeEqual } from "node:crypto";

export type Credentials = KeyPair | AccessToken;

export interface KeyPair {
  readonly kind: "key";
  readonly apiKey: string;
  readonly apiSecret: string;
}

export interface AccessToken {
  readonly kind: "token";
  readonly accessToken: string;
}

/** Compares secrets so that the time it takes tells nothing of where they differ. */
export const sameSecret = (left: string, right: string): boolean =>
  timingSafeEqual(digest(left), digest(right));

/** Neither length nor content shows. */
const digest = (text: string): Buffer => createHash("sha256").update(text).digest();
