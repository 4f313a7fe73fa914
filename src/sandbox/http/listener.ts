/** What a request over HTTP passes: the guard, its body, the router, and the answer as bytes. */
import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { bodyTooLarge } from "../checks/size.ts";
import { delayedAnswer, type Exchange } from "../exchange.ts";
import type { PagesOptions } from "../pages/index.ts";
import type { Control } from "../pages/page.ts";
import type { HandleRequests, ServiceRequest } from "../router.ts";
import { signToken, verifyToken } from "../tokens.ts";
import { createAdminApp, type Serve } from "./admin-app.ts";
import { batchCommit, type CommitRequest } from "./batch-commit.ts";
import type { Events } from "./events.ts";
import { rejectForm } from "./form-token.ts";
import type { LoadMeter } from "./load-meter.ts";
import { readBody } from "./read-body.ts";
import { rejectHead } from "./request-guard.ts";
import { writeAnswer, writeFailure, writeHalf, writeRefusal } from "./write-answer.ts";

export interface ListenerOptions {
  readonly handleRequests: HandleRequests;
  /** Signing time, for answers that never reach the router. */
  readonly now: () => Date;
  readonly events: Events;
  readonly load: LoadMeter;
  /** What the forms of the pages carry (form-token.ts). */
  readonly formToken: string;
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>;
  readonly pages: Omit<PagesOptions, "control" | "token">;
}

/** What answers behind one port. */
export const createListener = (options: ListenerOptions, port: number): RequestListener => {
  const commit = batchCommit(options.handleRequests);
  const serve = serveBy(options, commit);
  const pages = { ...options.pages, token: options.formToken, control: controlBy(commit) };
  const adminApp = createAdminApp({ ...options, serve, pages });
  const answer: Serve = async (incoming, outgoing) => {
    const { url: target = "", rawHeaders } = incoming;
    const refusal = rejectHead({ target, rawHeaders }, port);
    if (refusal !== undefined) writeRefusal(outgoing, refusal, options);
    else await (target.startsWith("/_sandbox") ? adminApp : serve)(incoming, outgoing);
  };
  return (incoming, outgoing) => {
    const startedMs = options.load.ticks();
    // Where the clock cannot be read either, not even a refusal can be dated.
    const fail = (): unknown =>
      outgoing.headersSent ? outgoing.destroy() : outgoing.writeHead(500).end();
    void answer(incoming, outgoing)
      .catch(fail)
      .then(() => options.load.record(outgoing.statusCode, startedMs));
  };
};

/**
 * Serves by the router. Targets and headers are taken as they came, not from a parsed request: both
 * doors must see the same bytes.
 */
const serveBy =
  (options: ListenerOptions, commit: CommitRequest): Serve =>
  async (incoming, outgoing) => {
    try {
      const body = await readBody(incoming);
      if (body === "too large") writeRefusal(outgoing, bodyTooLarge(), options);
      if (typeof body === "string") return;
      const request = requestOf(incoming, body);
      const refusal = rejectForm(request, options.formToken);
      if (refusal !== undefined) writeRefusal(outgoing, refusal, options);
      else await finish(outgoing, await commit(await verifyToken(request)), options);
    } catch (error) {
      writeFailure(outgoing, error, options);
    }
  };

/** Reports to those who watch, and writes the answer unless the connection is to break before it. */
const finish = async (
  outgoing: ServerResponse,
  exchange: Exchange,
  { events, wait }: ListenerOptions,
): Promise<void> => {
  events.reportRequests();
  if (exchange.cut === "whole") outgoing.socket?.destroy();
  else if (exchange.cut === undefined && exchange.delayMs === undefined) {
    writeAnswer(outgoing, await signToken(exchange));
  } else await writeFaulty(outgoing, { ...exchange, answer: signToken(exchange) }, wait);
};

/** Writes the answer, late or cut in its middle where a fault says so. */
const writeFaulty = async (
  outgoing: ServerResponse,
  exchange: Exchange,
  wait: ListenerOptions["wait"],
): Promise<void> => {
  const closed = new AbortController();
  outgoing.once("close", () => closed.abort());
  const answer = await delayedAnswer(exchange, wait, closed.signal).catch((error: unknown) => {
    if (closed.signal.aborted) return undefined;
    throw error;
  });
  if (answer === undefined) return;
  if (exchange.cut === undefined) writeAnswer(outgoing, answer);
  else writeHalf(outgoing, answer);
};

/** Forms of the pages come in by the same door as the commands: bytes, in one transaction. */
const controlBy =
  (commit: CommitRequest): Control =>
  async (method, target, content) => {
    const body = content === undefined ? undefined : Buffer.from(JSON.stringify(content));
    const headers = { "content-type": "application/json" };
    const exchange = await commit({ method, target, headers, body, address: "127.0.0.1" });
    const answer = await exchange.answer;
    return { status: answer.status, reply: JSON.parse(Buffer.from(answer.body).toString("utf8")) };
  };

const requestOf = (incoming: IncomingMessage, body: Uint8Array | undefined): ServiceRequest => ({
  method: incoming.method ?? "",
  target: incoming.url ?? "",
  headers: singleHeaders(incoming),
  body,
  address: incoming.socket.remoteAddress ?? "",
});

/** Header by name; those that Node gives as lists (cookies) are of no use here. */
const singleHeaders = ({ headers }: IncomingMessage): Record<string, string> => {
  const single: Record<string, string> = {};
  for (const name in headers) {
    const value = headers[name];
    if (typeof value === "string") single[name] = value;
  }
  return single;
};
