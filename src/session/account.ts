/** Who is logged in, as it is printed: never the secret, of the key its end. */
import type { Credentials } from "../contract/credentials.ts";
import type { Ports } from "../ports.ts";

/** What `auth status` prints. */
export interface AccountRecord {
  readonly profile: string;
  readonly kind: Credentials["kind"];
  /** Null for the sandbox in this process. */
  readonly host: string | null;
  readonly apiKeyTail: string | null;
  /** The file that holds the secret; null where it comes from elsewhere. */
  readonly stored: string | null;
  readonly from: string;
}
/** A call that may have moved money, as `auth status` lists it. */
export interface OpenPayment {
  readonly command: string;
  readonly amount: string | null;
  readonly started: string;
}

/** `auth status` tells of calls that may have moved money as well; it asks no one. */
export interface StatusRecord extends AccountRecord {
  /** Null where the credentials are not stored. */
  readonly dateStored: string | null;
  /** Of a token: how long it is valid, and what it may do. */
  readonly dateExpires: string | null;
  readonly scope: string | null;
  /** Calls of this profile whose outcome is unknown. */
  readonly inDoubt: readonly OpenPayment[];
}

export const accountColumns = ["profile", "kind", "host", "apiKeyTail", "stored", "from"] as const;

export const apiKeyTail = (credentials: Credentials): string | null =>
  credentials.kind === "key" ? credentials.apiKey.slice(-4) : null;

/** The last four characters of the key that proves who calls; none with an access token. */
export const signingKeyTail = ({ settings }: Ports): string | undefined => {
  const credentials = settings.credentials.value;
  return credentials?.kind === "key" ? credentials.apiKey.slice(-4) : undefined;
};
