/** What a request over HTTP passes: the gate, its body, the router, and the answer as bytes. */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { HttpBindings } from "@hono/node-server";
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
import { refuse } from "./gate.ts";
import type { Load } from "./load.ts";
import { addPages, type PagesParts } from "./pages/index.ts";
import type { Arrival, Receive } from "./router.ts";
import { Refusal } from "./service.ts";
import { together } from "./together.ts";
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

/**
 * The application behind one port. Targets and headers are taken as they came, not from the parsed
 * request: both doors must see the same bytes.
 */
export const application = (parts: ApplicationParts, port: number) => {
  const app = new Hono<{ Bindings: HttpBindings }>();
  const receive = together(parts.receive);
  const refused = (refusal: Refusal): Answer =>
    failure(refusal, { date: parts.now(), assumptions: new Set() });
  app.use(async (context, next) => {
    const { incoming, outgoing } = context.env;
    const begun = parts.load.ticks();
    const knock = { target: incoming.url ?? "", rawHeaders: incoming.rawHeaders };
    const refusal = refuse(knock, port);
    if (refusal === undefined) await next();
    else write(outgoing, refused(refusal));
    // A page is written after this; what is not a page has been written.
    parts.load.note(outgoing.headersSent ? outgoing.statusCode : context.res.status, begun);
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
    const body = await readBody(incoming);
    if (body === "too large") write(outgoing, refused(tooLarge()));
    if (typeof body === "string") return RESPONSE_ALREADY_SENT;
    const arrival = arrivalOf(incoming, body);
    const foreign = refuseForm(arrival, parts.formToken);
    if (foreign !== undefined) write(outgoing, refused(foreign));
    else await answer(outgoing, await receive(await opened(arrival)), parts);
    return RESPONSE_ALREADY_SENT;
  });
  app.onError((error, { env: { outgoing } }) => {
    write(outgoing, refused(new Refusal(500, "InternalError", error.message)));
    return RESPONSE_ALREADY_SENT;
  });
  return app;
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
  (receive: (arrival: Arrival) => Promise<Exchange>): PagesParts["control"] =>
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
  for (const [name, value] of Object.entries(headers)) {
    if (typeof value === "string") single[name] = value;
  }
  return single;
};

const write = (outgoing: ServerResponse, { status, headers, body }: Answer): void => {
  if (outgoing.headersSent) return;
  outgoing.writeHead(status, { ...headers, "content-length": body.length });
  outgoing.end(body);
};
