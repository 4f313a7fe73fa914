/** What a command sees of the client: call an endpoint, or walk the pages of a list. */

import type { Endpoint, Input, PageOf, Reply, Row } from "../contract/endpoint.ts";
import type { Answer, Credentials, Wire } from "../contract/wire.ts";
import type { Conversation } from "./layers/second-factor.ts";
import type { ServiceClock } from "./service-clock.ts";

/** What a request is signed with; the caller chooses it if a repeat must be the same request. */
export interface Signature {
  readonly date: string;
  readonly salt: string;
}

/** One attempt at a call as it left, its credentials aside. */
export interface Attempt {
  readonly wire: Wire;
  /** Undefined if an access token proves who calls. */
  readonly signature: Signature | undefined;
}

export interface CallOptions {
  readonly signal?: AbortSignal;
  /** Who answers for a second factor; without one its demand is an error. */
  readonly conversation?: Conversation | undefined;
  /**
   * Every attempt carries this signature, so the service executes at most one of them. After an answer that asks to
   * slow down, the call is not tried again: the answer may have used the signature up.
   */
  readonly signature?: Signature | undefined;
  /**
   * Called with each attempt right before it leaves; without an answer the outcome of the last one
   * is unknown. An error that it throws keeps the attempt from leaving.
   */
  readonly onAttempt?: ((attempt: Attempt) => void) | undefined;
  /** This very request again, with its second factor's code, in place of one made from the input. */
  readonly repeat?: Attempt | undefined;
  /** The body as it was written before, byte for byte, in place of the input's. */
  readonly bytes?: Uint8Array | undefined;
  /** Like a write, it gets time to complete when the operator stops the command; it may also begin after that. */
  readonly detached?: boolean | undefined;
  /** Called with the last complete answer, whatever it says. */
  readonly onAnswer?: ((answer: Answer) => void) | undefined;
}

/** Replaces a token that has expired; undefined if there is nothing to get one with. */
export type Renew = (stale: string) => Promise<string | undefined>;

/** What the layers of one call share; each takes what it needs. */
export interface LayerContext {
  readonly endpoint: Endpoint;
  readonly credentials: Credentials | undefined;
  /** The current access token: a call that renews it does so for the calls that follow. */
  readonly tokenHolder: { token: string } | undefined;
  /** Without it a token is used as it is. */
  readonly renew?: Renew | undefined;
  /** The command that logs this caller in, for errors. */
  readonly login: string;
  readonly clock: ServiceClock;
  readonly now: () => Date;
  readonly random: (bytes: number) => Uint8Array;
  readonly wait: (ms: number, signal?: AbortSignal) => Promise<void>;
  /** Where `--debug` writes, line by line. */
  readonly log?: ((line: string) => void) | undefined;
  /** The operator stopped: nothing is tried again. */
  readonly stopped: AbortSignal;
  /** A new one for each attempt when left out. */
  readonly signature?: Signature | undefined;
  readonly onAttempt?: ((attempt: Attempt) => void) | undefined;
  /** Called when the service itself, not something in its place, refused the date of the last attempt. */
  readonly onDateRefused?: (() => void) | undefined;
}

/** For the reads that a stopped command makes to report what became of what it sent. */
export const detached: CallOptions = { detached: true };

export interface PagesOptions extends CallOptions {
  /** How many rows are wanted in all: the request for the last page asks only for what is missing. */
  readonly rows?: number;
  /** Yields a page in parts of this many rows and releases each part before the next. */
  readonly rowsAtOnce?: number;
}

export interface Client {
  /** What time it is at the service, as its answers show. */
  readonly clock: ServiceClock;
  /**
   * Calls an endpoint once, with what the layers of index.ts add. Throws MsgError; its `outcome`
   * is that of the request.
   */
  call<E extends Endpoint>(endpoint: E, input: Input<E>, options?: CallOptions): Promise<Reply<E>>;
  /** Reads a list page by page, starting where `input` says; both kinds of paging. */
  pages<E extends Endpoint>(
    endpoint: E,
    input: Input<E>,
    options?: PagesOptions,
  ): AsyncIterable<PageOf<Row<E>>>;
  close(): Promise<void>;
}

/** The same client, which makes every call with these options too. */
export const clientWith = (client: Client, options: CallOptions): Client => ({
  ...client,
  call: (endpoint, input, own) => client.call(endpoint, input, { ...options, ...own }),
  pages: (endpoint, input, own) => client.pages(endpoint, input, { ...options, ...own }),
});

/** A client for hosts and credentials other than those of the command. */
export type ClientAt = (
  baseUrl: string,
  credentials: Credentials | undefined,
  authUrl?: string | undefined,
) => Promise<Client>;
