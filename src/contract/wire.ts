/** Shared by client and service besides endpoints: requests and answers as bytes, credentials, accepted addresses. */

import { createHash, timingSafeEqual } from "node:crypto";
import { t } from "../locale/locale.ts";

export type Method = "GET" | "POST" | "PUT" | "DELETE";

/** A request as bytes. Header names are lower case; `target` is path and query. */
export interface Wire {
  readonly method: Method;
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Uint8Array | undefined;
}

/** A complete answer as bytes. Header names are lower case. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

/** One exchange with the service: the network, or the sandbox in this process. Throws `TransportError`. */
export type Send = (wire: Wire, signal: AbortSignal) => Promise<Answer>;

/** A concern of every request, wrapped around the next one. */
export type Layer = (next: Send) => Send;

/** The layers in the order in which a request passes them; `end` comes last. */
export const stack = (end: Send, ...layers: Layer[]): Send =>
  layers.reduceRight((next, layer) => layer(next), end);

/**
 * How far a request came before the transport failed. Only `unconnected` and `insecure` prove that nothing
 * was sent: a count of written bytes says what was queued, not what left.
 */
export type Phase = "unconnected" | "insecure" | "sent";

/** No complete answer. `code` is the platform's error code (ECONNREFUSED, ENOTFOUND …). */
export class TransportError extends Error {
  readonly phase: Phase;
  readonly code: string;

  constructor(phase: Phase, code: string, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = "TransportError";
    this.phase = phase;
    this.code = code;
  }
}

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
  /** When the profile was logged in that it is of; a renewed token keeps that. */
  readonly dateStored?: string;
}

/** Compares secrets so that the time it takes does not show where they differ. */
export const sameSecret = (left: string, right: string): boolean =>
  timingSafeEqual(digest(left), digest(right));

/** Neither length nor content shows. */
const digest = (text: string): Buffer => createHash("sha256").update(text).digest();

/** The host name of a URL, an IPv6 address in brackets: traffic there crosses no network that others can read. */
export const isLoopback = (hostname: string): boolean =>
  /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/i.test(hostname);

/** Where a server of the sandbox may listen: never reachable from other machines. */
export const loopbackHosts = ["127.0.0.1", "::1", "localhost"] as const;

/** The address of a server there; an IPv6 address is in brackets. */
export const loopbackUrl = (host: (typeof loopbackHosts)[number], port: number): string =>
  `http://${host === "::1" ? "[::1]" : host}:${port}`;

/** An address, or why it is not accepted; never repeats its user name and password. */
type Address =
  | { readonly url: URL; readonly fault?: undefined }
  | { readonly url?: undefined; readonly fault: { readonly text: string; readonly todo: string } };

/**
 * The address of a host: https, or http on this machine, since others on the network could read the
 * signature; without user name, query and fragment.
 */
export const readAddress = (written: string): Address => {
  const url = URL.canParse(written) ? new URL(written) : undefined;
  const fault = (text: string, todo: string): Address => ({ fault: { text, todo } });
  if (url && (url.username !== "" || url.password !== "")) {
    const todo = t`give the address alone; msg auth login keeps the credentials`;
    return fault(t`'${url.host}' was given with a user name or password`, todo);
  }
  if (!url || !/^https?:$/.test(url.protocol) || url.hostname === "")
    return fault(t`'${written}' is not the address of a host`, example());
  if (url.search !== "" || url.hash !== "")
    return fault(t`'${written}' has a query or a fragment`, example());
  if (url.protocol === "http:" && !isLoopback(url.hostname))
    return fault(
      t`'${written}' is not encrypted: http is for this machine only`,
      t`use https://${url.host}`,
    );
  return { url };
};

const example = (): string => t`write it like https://api.example.com`;
