/** One request on one connection: how far it came, what came back, and how long it may take. */

import { type IncomingMessage, request } from "node:http";
import type { Socket } from "node:net";
import { type Answer, TransportError, type Wire } from "../../contract/wire.ts";
import { t, translated } from "../../locale/locale.ts";
import { answerTooLarge } from "../layers/retry.ts";
import { codeOf } from "./connector.ts";

export interface ExchangeOptions {
  /** For the whole request, from connecting to its last byte; undefined for no such limit. */
  readonly timeoutMs: number | undefined;
  /** From the first piece of the answer or 1xx until its head is complete. */
  readonly firstByteMs: number;
  /** Limit between two pieces of a body. */
  readonly idleMs: number;
  /** Limit for a body that comes in pieces. */
  readonly bodyMs: number;
  readonly bodyBytes: number;
  readonly wait: (ms: number, signal?: AbortSignal) => Promise<void>;
}

/** Settles `answer` once: with a complete answer, or with the first thing that prevented one. */
export class Exchange {
  readonly answer: Promise<Answer>;
  readonly #options: ExchangeOptions;
  /** Ends the limits. Created with the first limit: most requests have none, and an abort is not cheap. */
  #over: AbortController | undefined;
  #isOver = false;
  #sent: ReturnType<typeof request> | undefined;
  #isAnswered = false;
  #pieces = 0;
  #resolve: (answer: Answer) => void = () => undefined;
  #reject: (error: unknown) => void = () => undefined;

  constructor(options: ExchangeOptions) {
    this.#options = options;
    this.answer = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    if (options.timeoutMs !== undefined)
      this.#limit(options.timeoutMs, () =>
        this.#fail("ETIMEDOUT", t`the time of --timeout is over`),
      );
  }

  /** Writes the request, unless the exchange is over: from here on nothing proves "not sent". */
  begin({ method, target: path, headers, body }: Wire, socket: Socket): void {
    if (this.#isOver) return;
    socket.setTimeout(this.#options.firstByteMs);
    this.#sent = request({ method, path, headers, createConnection: () => socket })
      .on("response", (response) => this.#receive(response, socket))
      .on("error", (error) => this.#failBy(error))
      .on("close", () => this.#fail("ECONNRESET", translated(broken)));
    this.#sent.end(body);
  }

  /** A piece of the answer has come. Pieces of its head, and 1xx answers, may never end. */
  advance(): void {
    this.#pieces += 1;
    if (this.#pieces !== 2 || this.#isAnswered) return;
    this.#limit(this.#options.firstByteMs, () => {
      if (!this.#isAnswered) this.expire();
    });
  }

  /** No piece of the answer came in the time for one. */
  expire(): void {
    const text = this.#isAnswered
      ? t`the answer stopped in the middle`
      : t`the service did not answer in time`;
    this.#fail("ETIMEDOUT", text);
  }

  /** The whole request has left: nothing reads its memory any longer. */
  get isWritten(): boolean {
    return this.#sent?.writableFinished === true;
  }

  /** The operator no longer wants it. */
  stop(): void {
    this.#fail("Interrupted", t`interrupted before an answer came`);
  }

  /** Ends without an answer. Only the first end counts: an earlier answer stays. */
  end(error: unknown): void {
    this.#close();
    this.#reject(error);
  }

  #receive(response: IncomingMessage, socket: Socket): void {
    this.#isAnswered = true;
    const { idleMs, bodyMs, bodyBytes } = this.#options;
    const chunks: Uint8Array[] = [];
    let bytes = 0;
    socket.setTimeout(idleMs);
    response.on("data", (chunk: Uint8Array) => {
      bytes += chunk.length;
      if (bytes > bodyBytes)
        this.#fail(answerTooLarge, t`the answer is larger than ${bodyBytes} bytes`);
      // An idle limit alone would let a byte a second go on forever.
      else if (chunks.push(chunk) === 2)
        this.#limit(bodyMs, () => this.#fail("ETIMEDOUT", t`the answer came too slowly`));
    });
    response.on("error", (error) => this.#failBy(error));
    response.on("end", () => {
      this.#close();
      const { statusCode: status = 0 } = response;
      this.#resolve({ status, headers: headersOf(response), body: Buffer.concat(chunks) });
    });
  }

  #failBy(error: Error): void {
    const code = codeOf(error);
    const known = failures[code];
    if (known) this.#fail(known.code, translated(known.text));
    else if (code.startsWith("HPE_")) this.#fail(code, t`the answer is not HTTP`);
    else this.#fail(code, t`the connection broke (${code}) before a full answer`);
  }

  #fail(code: string, text: string): void {
    if (!this.#isOver)
      this.end(new TransportError(this.#sent ? "sent" : "unconnected", code, text));
  }

  #close(): void {
    this.#isOver = true;
    this.#over?.abort();
  }

  #limit(ms: number, expire: () => void): void {
    this.#over ??= new AbortController();
    this.#options.wait(ms, this.#over.signal).then(expire, () => undefined);
  }
}

const headersOf = ({ headers }: IncomingMessage): Readonly<Record<string, string>> => {
  const texts: Record<string, string> = {};
  for (const [name, value = ""] of Object.entries(headers))
    texts[name] = typeof value === "string" ? value : value.join(", ");
  return texts;
};

const broken = "the connection broke before a full answer";

const failures: Readonly<Record<string, { readonly code: string; readonly text: string }>> = {
  ECONNRESET: { code: "ECONNRESET", text: broken },
  HPE_INVALID_EOF_STATE: { code: "ECONNRESET", text: broken },
  HPE_HEADER_OVERFLOW: { code: answerTooLarge, text: "the answer's headers are too large" },
};
