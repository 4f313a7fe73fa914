/** What crosses the line between client and service: bytes, and nothing that only one side knows. */

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
