/** One request on one connection: what of it has left, what has come back, and for how long. */
import type { Dispatcher } from "undici";
import { type Answer, TransportError } from "../../contract/wire.ts";
import { answerTooLarge } from "../layers/retry.ts";
import { codeOf } from "./connector.ts";

export interface ExchangeOptions {
  /** For the whole request, and for the whole body once it comes in pieces. */
  readonly timeoutMs: number | undefined;
  /** Until the answer begins, from its first 1xx on. */
  readonly firstByteMs: number;
  readonly bodyMs: number;
  readonly bodyBytes: number;
  readonly wait: (ms: number, signal?: AbortSignal) => Promise<void>;
}

type Controller = Dispatcher.DispatchController;

type Headers = Readonly<Record<string, string | string[] | undefined>>;

/** Receives the events of a request from the HTTP library, in their order, and settles `answer`. */
export class Exchange implements Dispatcher.DispatchHandler {
  readonly answer: Promise<Answer>;
  readonly #options: ExchangeOptions;
  #over: AbortController | undefined;
  /** Ends with the last 1xx. */
  #interim: AbortController | undefined;
  readonly #chunks: Uint8Array[] = [];
  #started = false;
  #bytes = 0;
  #status = 0;
  #headers: Headers = {};
  #resolve: (answer: Answer) => void = () => undefined;
  #reject: (error: TransportError) => void = () => undefined;

  constructor(options: ExchangeOptions) {
    this.#options = options;
    this.answer = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    if (options.timeoutMs !== undefined)
      this.#limit(options.timeoutMs, "the time of --timeout is over");
  }

  /** Comes right before the first byte is written: from here on nothing proves "not sent". */
  onRequestStart(controller: Controller): void {
    // The library would have to send the same bytes twice; it never does, and must not begin to.
    if (this.#started) controller.abort(new Error("a request is written once"));
    this.#started = true;
  }

  onResponseStart(_: Controller, status: number, headers: Headers): void {
    this.#status = status;
    this.#headers = headers;
    if (status >= 200) this.#interim?.abort();
    else this.#limitInterim();
  }

  onResponseData(controller: Controller, chunk: Uint8Array): void {
    this.#bytes += chunk.length;
    if (this.#bytes > this.#options.bodyBytes) {
      this.#fail(answerTooLarge, `the answer is larger than ${this.#options.bodyBytes} bytes`);
      controller.abort(new Error(answerTooLarge));
      return;
    }
    // An idle limit alone would let a byte a second go on for ever.
    if (this.#chunks.length === 1)
      this.#limit(this.#options.bodyMs, "the answer came too slowly to be waited for");
    this.#chunks.push(chunk);
  }

  onResponseEnd(): void {
    this.#over?.abort();
    this.#resolve({
      status: this.#status,
      headers: flattenHeaders(this.#headers),
      body: Buffer.concat(this.#chunks),
    });
  }

  onResponseError(_: Controller, error: Error): void {
    const { cause } = error;
    const lost = lostBy(error);
    if (cause instanceof TransportError) this.#end(cause);
    else this.#fail(lost.code, lost.text);
  }

  /** The operator does not want it any more. */
  stop(): void {
    this.#fail("Interrupted", "stopped before an answer came");
  }

  #fail(code: string, text: string): void {
    this.#end(new TransportError(this.#started ? "sent" : "unconnected", code, text));
  }

  /** Ends without an answer. What was answered before stands: only the first end counts. */
  #end(error: TransportError): void {
    this.#over?.abort();
    this.#interim?.abort();
    this.#reject(error);
  }

  #limit(ms: number, text: string): void {
    // Made when there is a limit: most requests have none, and an abort is not cheap.
    this.#over ??= new AbortController();
    this.#expire(ms, text, this.#over.signal);
  }

  /** The library begins its own limit again with each 1xx, of which there may be no end. */
  #limitInterim(): void {
    if (this.#interim) return;
    this.#interim = new AbortController();
    this.#expire(this.#options.firstByteMs, unansweredInTime, this.#interim.signal);
  }

  #expire(ms: number, text: string, over: AbortSignal): void {
    const expire = (): void => this.#fail("ETIMEDOUT", text);
    this.#options.wait(ms, over).then(expire, () => undefined);
  }
}

const flattenHeaders = (headers: Headers): Readonly<Record<string, string>> => {
  const texts: Record<string, string> = {};
  for (const [name, value = ""] of Object.entries(headers))
    texts[name] = typeof value === "string" ? value : value.join(", ");
  return texts;
};

const unansweredInTime = "the service did not answer in time";

const lost: Readonly<Record<string, { readonly code: string; readonly text: string }>> = {
  UND_ERR_HEADERS_TIMEOUT: { code: "ETIMEDOUT", text: unansweredInTime },
  UND_ERR_BODY_TIMEOUT: { code: "ETIMEDOUT", text: "the answer stopped in the middle" },
  UND_ERR_SOCKET: { code: "ECONNRESET", text: "the connection broke before a full answer" },
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: {
    code: "ECONNRESET",
    text: "the answer is shorter than it was to be",
  },
  UND_ERR_HEADERS_OVERFLOW: { code: answerTooLarge, text: "the answer's headers are too large" },
  ECONNRESET: { code: "ECONNRESET", text: "the connection broke before a full answer" },
};

const lostBy = (error: Error): { readonly code: string; readonly text: string } => {
  const code = codeOf(error);
  if (code.startsWith("HPE_")) return { code, text: "what came back is no HTTP answer" };
  return lost[code] ?? { code, text: `the connection broke (${code}) before a full answer` };
};
