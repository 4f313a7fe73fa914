/** What a request over HTTP passes: the gate, its body, the router, and the answer as bytes. */
import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { readBody } from "./body.ts";
import { tooLarge } from "./checks/size.ts";
import type { Events } from "./events.ts";
import { answerOf, type Exchange } from "./exchange.ts";
import { refuseForm } from "./form-token.ts";
import { refuse } from "./gate.ts";
import type { Load } from "./load.ts";
import { write, writeFailure, writeHalf, writeRefusal } from "./outgoing.ts";
import type { OwnParts, Serve } from "./own.ts";
import type { PagesParts } from "./pages/index.ts";
import type { Arrival, Receive } from "./router.ts";
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

/**
 * What answers behind one port. Requests of the service go to the router at once: under load, the way
 * through hono is a good part of their cost. It takes pages and control routes.
 */
export const application = (parts: ApplicationParts, port: number): RequestListener => {
  const receive = together(parts.receive);
  const serve = serveBy(parts, receive);
  const own = ownBy({ ...parts, serve, pages: pagesOf(parts, receive) });
  const passed: Serve = async (incoming, outgoing) => {
    const { url: target = "", rawHeaders } = incoming;
    const refusal = refuse({ target, rawHeaders }, port);
    if (refusal !== undefined) writeRefusal(outgoing, refusal, parts);
    else await (target.startsWith("/_sandbox") ? own : serve)(incoming, outgoing);
  };
  return (incoming, outgoing) => {
    const begun = parts.load.ticks();
    // Where the clock cannot be read either, not even a refusal can be dated.
    const failed = (): unknown =>
      outgoing.headersSent ? outgoing.destroy() : outgoing.writeHead(500).end();
    void passed(incoming, outgoing)
      .catch(failed)
      .then(() => parts.load.note(outgoing.statusCode, begun));
  };
};

/** The sandbox's own part, loaded when it is first asked for. */
const ownBy = (parts: OwnParts): Serve => {
  let listener: Promise<Serve> | undefined;
  return async (incoming, outgoing) => {
    listener ??= import("./own.ts").then(({ ownListener }) => ownListener(parts));
    const serve = await listener;
    await serve(incoming, outgoing);
  };
};

const pagesOf = (parts: ApplicationParts, receive: Together): PagesParts => ({
  ...parts.pages,
  token: parts.formToken,
  control: controlBy(receive),
});

/**
 * Serves by the router. Targets and headers are taken as they came, not from a parsed request: both
 * doors must see the same bytes.
 */
const serveBy =
  (parts: ApplicationParts, receive: Together): Serve =>
  async (incoming, outgoing) => {
    try {
      const body = await readBody(incoming);
      if (body === "too large") writeRefusal(outgoing, tooLarge(), parts);
      if (typeof body === "string") return;
      const arrival = arrivalOf(incoming, body);
      const foreign = refuseForm(arrival, parts.formToken);
      if (foreign !== undefined) writeRefusal(outgoing, foreign, parts);
      else await answer(outgoing, await receive(await opened(arrival)), parts);
    } catch (error) {
      writeFailure(outgoing, error, parts);
    }
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
