/** What proves who calls: a key pair that signs each request, or an access token. */
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
