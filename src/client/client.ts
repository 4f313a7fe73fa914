/** What a command sees of the client: call an endpoint, or walk the pages of a list. */

import type { Endpoint, Input, PageOf, Reply, Row } from "../contract/endpoint.ts";
import type { Answer, Credentials, Wire } from "../contract/wire.ts";
import type { Conversation } from "./layers/second-factor.ts";
import type { ServiceClock } from "./service-clock.ts";

/** What a request is signed with; chosen by the caller where a repeat must be the same request. */
export interface Signature {
  readonly date: string;
  readonly salt: string;
}

/** One attempt at a call as it left, its credentials aside. */
export interface Attempt {
  readonly wire: Wire;
  /** Undefined where an access token proves who calls. */
  readonly signature: Signature | undefined;
}

export interface CallOptions {
  readonly signal?: AbortSignal;
  /** Who answers for a second factor; without one its demand is an error. */
  readonly conversation?: Conversation | undefined;
  /**
   * Every attempt carries this signature: the service executes one of them at most. An answer that
   * asks to slow down is not waited for, since it may have used the signature up.
   */
  readonly signature?: Signature | undefined;
  /**
   * Called with each attempt right before it leaves; the outcome of the last one is unknown where no
   * answer came. An error that it throws keeps the attempt from leaving.
   */
  readonly onAttempt?: ((attempt: Attempt) => void) | undefined;
  /** This very request once more, a second factor's code included, in place of one made of the input. */
  readonly repeat?: Attempt | undefined;
  /** The body as it was written before, byte for byte, in place of the input's. */
  readonly bytes?: Uint8Array | undefined;
  /** It gets time to complete when the operator stops the command, as a write does, and may begin after that. */
  readonly detached?: boolean | undefined;
  /** Called with the last complete answer, whatever it says. */
  readonly onAnswer?: ((answer: Answer) => void) | undefined;
}

/** For the reads by which a command that was stopped reports what became of what it sent. */
export const detached: CallOptions = { detached: true };

export interface PagesOptions extends CallOptions {
  /** How many rows are wanted in all: the last page is asked for no more than what is missing. */
  readonly rows?: number;
  /** Yields a page in parts of so many rows, each released before the next. */
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
  /** Closes connections. */
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
