/** What a request over HTTP passes: the gate, its body, the router, and the answer as bytes. */
import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { getRequestListener, type HttpBindings } from "@hono/node-server";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import { Hono } from "hono";
import { eventsPath } from "../contract/sandbox.ts";
import type { Answer } from "../contract/wire.ts";
import { failure } from "./answer.ts";
import { readBody } from "./body.ts";
import { tooLarge } from "./checks/size.ts";
import type { Events } from "./events.ts";
import { answerOf, type Exchange } from "./exchange.ts";
import { refuseForm } from "./form-token.ts";
import { type Knock, refuse } from "./gate.ts";
import type { Load } from "./load.ts";
import { addPages, type PagesParts } from "./pages/index.ts";
import type { Arrival, Receive } from "./router.ts";
import { Refusal } from "./service.ts";
import { type Together, together } from "./together.ts";
import { opened, sealed } from "./tokens.ts";

export interface ApplicationParts {
  readonly receive: Receive;
  /** Signing time, for answers that never reach the router. */
  readonly now: () => Date;
  readonly events: Events;
  readonly load: Load;
  /** What the forms of the pages carry (form-token.ts). */
  readonly formToken: string;
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>;
  readonly pages: Omit<PagesParts, "control" | "token">;
}

/** Performs one request and writes its answer. */
type Serve = (incoming: IncomingMessage, outgoing: ServerResponse) => Promise<void>;

/**
 * What answers behind one port. Requests of the service go to the router at once: under
 * load, the way through hono is a good part of their cost. It takes what is left: pages, control routes, and requests
 * that may not pass, of which nobody reads the body.
 */
export const application = (parts: ApplicationParts, port: number): RequestListener => {
  const receive = together(parts.receive);
  const serve = serveBy(parts, receive);
  const { fetch } = ownApplication(parts, port, receive, serve);
  const own = getRequestListener(fetch, { overrideGlobalObjects: false });
  return (incoming, outgoing) => {
    const begun = parts.load.ticks();
    const isOwn = incoming.url?.startsWith("/_sandbox") || refuse(knockOf(incoming), port);
    const served = isOwn ? own(incoming, outgoing) : serve(incoming, outgoing);
    // Where the clock cannot be read either, not even a refusal can be dated.
    const failed = (): unknown =>
      outgoing.headersSent ? outgoing.destroy() : outgoing.writeHead(500).end();
    void served.catch(failed).then(() => parts.load.note(outgoing.statusCode, begun));
  };
};

const knockOf = ({ url = "", rawHeaders }: IncomingMessage): Knock => ({ target: url, rawHeaders });

const ownApplication = (parts: ApplicationParts, port: number, receive: Together, serve: Serve) => {
  const app = new Hono<{ Bindings: HttpBindings }>();
  app.use(async ({ env: { incoming, outgoing } }, next) => {
    const refusal = refuse(knockOf(incoming), port);
    if (refusal === undefined) return next();
    write(outgoing, refused(refusal, parts));
    return RESPONSE_ALREADY_SENT;
  });
  app.get(eventsPath, ({ env: { incoming, outgoing } }) => {
    const last = incoming.headers["last-event-id"];
    const tells = incoming.url?.endsWith("?only=changes") ? "changes" : "requests";
    parts.events.join(outgoing, tells, typeof last === "string" ? last : undefined);
    return RESPONSE_ALREADY_SENT;
  });
  addPages(app, { ...parts.pages, token: parts.formToken, control: controlBy(receive) });
  app.all("*", async ({ env: { incoming, outgoing } }) => {
    await serve(incoming, outgoing);
    return RESPONSE_ALREADY_SENT;
  });
  app.onError((error, { env: { outgoing } }) => {
    writeFailure(outgoing, error, parts);
    return RESPONSE_ALREADY_SENT;
  });
  return app;
};

/**
 * Serves by the router. Targets and headers are taken as they came, not from a parsed request: both
 * doors must see the same bytes.
 */
const serveBy =
  (parts: ApplicationParts, receive: Together): Serve =>
  async (incoming, outgoing) => {
    try {
      const body = await readBody(incoming);
      if (body === "too large") write(outgoing, refused(tooLarge(), parts));
      if (typeof body === "string") return;
      const arrival = arrivalOf(incoming, body);
      const foreign = refuseForm(arrival, parts.formToken);
      if (foreign !== undefined) write(outgoing, refused(foreign, parts));
      else await answer(outgoing, await receive(await opened(arrival)), parts);
    } catch (error) {
      writeFailure(outgoing, error, parts);
    }
  };

const refused = (refusal: Refusal, { now }: ApplicationParts): Answer =>
  failure(refusal, { date: now(), assumptions: new Set() });

const writeFailure = (outgoing: ServerResponse, error: unknown, parts: ApplicationParts): void => {
  const why = error instanceof Error ? error.message : String(error);
  write(outgoing, refused(new Refusal(500, "InternalError", why), parts));
};

/** Tells those who watch, and writes the answer unless the connection is to break before it. */
const answer = async (
  outgoing: ServerResponse,
  exchange: Exchange,
  { events, wait }: ApplicationParts,
): Promise<void> => {
  events.tell();
  if (exchange.cut === "whole") outgoing.socket?.destroy();
  else if (exchange.cut === undefined && exchange.delayMs === undefined) {
    write(outgoing, await sealed(exchange));
  } else await writeStruck(outgoing, { ...exchange, answer: sealed(exchange) }, wait);
};

/** Forms of the pages come in by the same door as the commands: bytes, in one transaction. */
const controlBy =
  (receive: Together): PagesParts["control"] =>
  async (method, target, content) => {
    const body = content === undefined ? undefined : Buffer.from(JSON.stringify(content));
    const headers = { "content-type": "application/json" };
    const exchange = await receive({ method, target, headers, body, address: "127.0.0.1" });
    const answer = await exchange.answer;
    return { status: answer.status, reply: JSON.parse(Buffer.from(answer.body).toString("utf8")) };
  };

/** Writes the answer, late or cut in its middle where a fault says so. */
const writeStruck = async (
  outgoing: ServerResponse,
  exchange: Exchange,
  wait: ApplicationParts["wait"],
): Promise<void> => {
  const gone = new AbortController();
  outgoing.once("close", () => gone.abort());
  const whole = await answerOf(exchange, wait, gone.signal).catch((error: unknown) => {
    if (gone.signal.aborted) return undefined;
    throw error;
  });
  if (whole === undefined) return;
  if (exchange.cut === undefined) write(outgoing, whole);
  else writeHalf(outgoing, whole);
};

const writeHalf = (outgoing: ServerResponse, { status, headers, body }: Answer): void => {
  outgoing.writeHead(status, { ...headers, "content-length": body.length });
  const half = body.subarray(0, Math.floor(body.length / 2));
  outgoing.write(half, () => outgoing.socket?.destroy());
};

const arrivalOf = (incoming: IncomingMessage, body: Uint8Array | undefined): Arrival => ({
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

const write = (outgoing: ServerResponse, { status, headers, body }: Answer): void => {
  if (outgoing.headersSent) return;
  outgoing.writeHead(status, { ...headers, "content-length": body.length });
  outgoing.end(body);
};
