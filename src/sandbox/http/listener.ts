/** The steps of a request over HTTP: the guard, its body, the router, and the answer as bytes. */
import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { eventsPath } from "../../contract/sandbox.ts";
import type { Answer } from "../../contract/wire.ts";
import type { Exchange } from "../answer.ts";
import { bodyTooLarge } from "../checks/validate.ts";
import type { Clock } from "../clock.ts";
import type { createPages } from "../pages/index.ts";
import type { HandleRequest } from "../router.ts";
import type { Store } from "../store/store.ts";
import { readBody, writeAnswer, writeFailure, writeHalf, writeRefusal } from "./body.ts";
import type { Events } from "./events.ts";
import type { LoadMeter } from "./load-meter.ts";
import { rejectForm, rejectHead } from "./request-guard.ts";

export interface ServerOptions {
  readonly handleRequest: HandleRequest;
  readonly store: Store;
  readonly clock: Clock;
  readonly events: Events;
  readonly load: LoadMeter;
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>;
  /** Does some of what is due by now; called on a timer. Returns true when nothing is left. */
  readonly runDueJobs: () => boolean;
}

export const createListener = (options: ServerOptions, port: number): RequestListener => {
  const { clock, events, load } = options;
  const opened: { pages?: Promise<ReturnType<typeof createPages>> } = {};
  // Loaded with the first page: a start does not wait for them.
  const answerPage = async (incoming: IncomingMessage, url: URL): Promise<Answer | undefined> => {
    opened.pages ??= import("../pages/index.ts").then((it) => it.createPages(options));
    return (await opened.pages)(incoming, url);
  };
  const serve = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    const { url: target = "", method, rawHeaders } = incoming;
    const refusal = rejectHead({ target, rawHeaders }, port);
    if (refusal !== undefined) return writeRefusal(outgoing, refusal, clock);
    const url = target.startsWith("/_sandbox") ? new URL(target, "http://sandbox") : undefined;
    if (method === "GET" && url?.pathname === eventsPath) {
      if (url.search === "?only=changes") return events.watchChanges(outgoing);
      return events.watchRequests(outgoing, String(incoming.headers["last-event-id"]));
    }
    try {
      const page = url && (await answerPage(incoming, url));
      if (page === undefined) await answerByRouter(incoming, outgoing, options);
      else writeAnswer(outgoing, page);
    } catch (error) {
      writeFailure(outgoing, error, clock);
    }
  };
  return (incoming, outgoing) => {
    const startedMs = load.ticks();
    // If the clock cannot be read either, not even a refusal can be dated.
    const fail = (): unknown =>
      outgoing.headersSent ? outgoing.destroy() : outgoing.writeHead(500).end();
    void serve(incoming, outgoing)
      .catch(fail)
      .then(() => load.record(outgoing.statusCode, startedMs));
  };
};

/** Uses targets and headers as they came, not from a parsed request: both doors must see the same bytes. */
const answerByRouter = async (
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  options: ServerOptions,
): Promise<void> => {
  const body = await readBody(incoming);
  if (body === "too large") writeRefusal(outgoing, bodyTooLarge(), options.clock);
  if (typeof body === "string") return;
  const { method = "", url: target = "", socket } = incoming;
  const headers = singleHeaders(incoming);
  const request = { method, target, headers, body, address: socket.remoteAddress ?? "" };
  const refusal = rejectForm(request);
  if (refusal !== undefined) writeRefusal(outgoing, refusal, options.clock);
  else await finish(outgoing, options.handleRequest(request), options);
};

/** Header by name; those that Node gives as lists (cookies) are of no use here. */
const singleHeaders = ({ headers }: IncomingMessage): Record<string, string> => {
  const single: Record<string, string> = {};
  for (const name in headers) {
    const value = headers[name];
    if (typeof value === "string") single[name] = value;
  }
  return single;
};

/** Reports to watchers, and writes the answer: not at all, late or cut if a fault says so. */
const finish = async (
  outgoing: ServerResponse,
  exchange: Exchange,
  { events, wait }: ServerOptions,
): Promise<void> => {
  events.reportRequests();
  if (exchange.cut === "whole") {
    outgoing.socket?.destroy();
    return;
  }
  if (exchange.delayMs !== undefined) {
    const closed = new AbortController();
    outgoing.once("close", () => closed.abort());
    await wait(exchange.delayMs, closed.signal).catch((error: unknown) => {
      if (!closed.signal.aborted) throw error;
    });
    if (closed.signal.aborted) return;
  }
  const answer = await exchange.answer;
  if (exchange.cut === "middle") writeHalf(outgoing, answer);
  else writeAnswer(outgoing, answer);
};
