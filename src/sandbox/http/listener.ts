/** What a request over HTTP passes: the guard, its body, the router, and the answer as bytes. */
import { createHmac, randomBytes } from "node:crypto";
import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { eventsPath } from "../../contract/sandbox.ts";
import { delayedAnswer, type Exchange } from "../answer.ts";
import { bodyTooLarge } from "../checks/validate.ts";
import { accountA } from "../fixtures/accounts.ts";
import { createPages, type PagesOptions } from "../pages/index.ts";
import type { Control } from "../pages/page.ts";
import type { HandleRequest, ServiceRequest } from "../router.ts";
import type { Store } from "../store/store.ts";
import { signToken, verifyToken } from "../tokens.ts";
import { readBody, writeAnswer, writeFailure, writeHalf, writeRefusal } from "./body.ts";
import type { Events } from "./events.ts";
import type { LoadMeter } from "./load-meter.ts";
import { rejectForm, rejectHead } from "./request-guard.ts";

export interface ListenerOptions {
  readonly handleRequest: HandleRequest;
  /** Signing time, for answers that never reach the router. */
  readonly now: () => Date;
  readonly events: Events;
  readonly load: LoadMeter;
  /** What the forms of the pages carry (form-token.ts). */
  readonly formToken: string;
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>;
  readonly pages: Omit<PagesOptions, "control" | "token">;
}

/** Performs one request and writes its answer. */
type Serve = (incoming: IncomingMessage, outgoing: ServerResponse) => Promise<void>;

/** What answers behind one port. */
export const createListener = (options: ListenerOptions, port: number): RequestListener => {
  const serve = serveBy(options);
  const adminApp = adminAppBy(options, serve);
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

/** What the port answers under `/_sandbox`: pages, their events, control routes. */
const adminAppBy = (options: ListenerOptions, serve: Serve): Serve => {
  const { events, formToken: token, handleRequest, now, pages } = options;
  const control = createControl({ handleRequest, now, store: pages.store });
  const answerPage = createPages({ ...pages, token, control });
  return async (incoming, outgoing) => {
    const url = new URL(incoming.url ?? "", "http://sandbox");
    if (incoming.method === "GET" && url.pathname === eventsPath) {
      const subject = url.search === "?only=changes" ? "changes" : "requests";
      const last = incoming.headers["last-event-id"];
      events.join(outgoing, subject, typeof last === "string" ? last : undefined);
      return;
    }
    try {
      const answer = await answerPage(incoming, url);
      if (answer === undefined) await serve(incoming, outgoing);
      else writeAnswer(outgoing, answer);
    } catch (error) {
      writeFailure(outgoing, error, options);
    }
  };
};

/**
 * Serves by the router. Targets and headers are taken as they came, not from a parsed request: both
 * doors must see the same bytes.
 */
const serveBy =
  (options: ListenerOptions): Serve =>
  async (incoming, outgoing) => {
    try {
      const body = await readBody(incoming);
      if (body === "too large") writeRefusal(outgoing, bodyTooLarge(), options);
      if (typeof body === "string") return;
      const request = requestOf(incoming, body);
      const refusal = rejectForm(request, options.formToken);
      if (refusal !== undefined) writeRefusal(outgoing, refusal, options);
      else await finish(outgoing, options.handleRequest(await verifyToken(request)), options);
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

export interface PageRequests {
  readonly handleRequest: HandleRequest;
  readonly store: Store;
  /** The signature clock. */
  readonly now: () => Date;
}

/** Forms come in by the same door as the commands: bytes, in one transaction. */
const createControl =
  ({ handleRequest, store, now }: PageRequests): Control =>
  async (method, target, content) => {
    const body = content === undefined ? undefined : Buffer.from(JSON.stringify(content));
    const authorization = target.startsWith("/_sandbox/") ? {} : signedBy(store, now());
    const headers = { "content-type": "application/json", ...authorization };
    const exchange = handleRequest({ method, target, headers, body, address: "127.0.0.1" });
    const answer = await exchange.answer;
    return { status: answer.status, reply: JSON.parse(Buffer.from(answer.body).toString("utf8")) };
  };

/** The header that authenticates a request of the first account's owner (spec 2). */
const signedBy = (store: Store, now: Date): Readonly<Record<string, string>> => {
  const owner = store.callers.keys().find((it) => it.accountId === accountA);
  const [date, salt] = [now.toISOString(), randomBytes(16).toString("hex")];
  const signature = createHmac("sha256", owner?.secret ?? "")
    .update(date + salt)
    .digest("hex");
  return {
    authorization: `HMAC-SHA256 apiKey=${owner?.key}, date=${date}, salt=${salt}, signature=${signature}`,
  };
};
