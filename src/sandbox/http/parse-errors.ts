/** Answers what Node itself refuses, before or during a request, as the service would. */
import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from "node:http";
import { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { quietly } from "../../durable/files.ts";
import { refusalAnswer } from "../answer.ts";
import { timeOf } from "../clock.ts";
import { Refusal } from "../service.ts";
import { writeRefusal } from "./body.ts";
import type { ServerOptions } from "./listener.ts";

/** Node's error for bytes that are not a request; `rawPacket` is what was read last. */
interface ParseError extends Error {
  readonly code?: string;
  readonly rawPacket?: Uint8Array;
}

/** How long the rest of what a client writes is read: to close earlier could take its answer away. */
const lingerMs = 1_000;

/**
 * Answers heads that are too large (431), bytes that are not HTTP (400), incomplete requests (400,
 * 408) and expectations (417) with both members and a line in the log; all but the last end their
 * connection. An answer never overtakes one of an earlier request.
 */
export const answerParseErrors = (server: Server, options: ServerOptions): void => {
  /** The newest of each connection. */
  const latest = new WeakMap<Duplex, ServerResponse>();
  const refused = new WeakSet<Duplex>();
  server.on("request", ({ socket }, outgoing) => {
    latest.set(socket, outgoing);
  });
  server.on("checkExpectation", (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const why = `The sandbox does not know the expectation '${incoming.headers.expect ?? ""}'.`;
    const refusal = new Refusal(417, "ValidationError", why);
    logRefusal(options, incoming.method, incoming.url, refusal);
    writeRefusal(outgoing, refusal, options.clock);
  });
  server.on("clientError", (error: ParseError, socket) => {
    // Bytes after unreadable ones cannot be read either.
    if (refused.has(socket)) return;
    refused.add(socket);
    if (error.code === "ECONNRESET" || !socket.writable) socket.destroy();
    else destroyOnError(socket, () => reject(options, error, socket, latest.get(socket)));
  });
};

/** If the clock cannot be read either, not even a refusal can be dated. */
const destroyOnError = (socket: Duplex, act: () => void): void => {
  try {
    act();
  } catch {
    socket.destroy();
  }
};

/** Refuses the request under way, or else the one that would have been next. */
const reject = (
  options: ServerOptions,
  error: ParseError,
  socket: Duplex,
  latest: ServerResponse | undefined,
): void => {
  const refusal = refusalOf(error);
  if (latest !== undefined && !latest.req.complete) {
    if (latest.headersSent) {
      socket.destroy();
      return;
    }
    logRefusal(options, latest.req.method, latest.req.url, refusal);
    writeRefusal(latest.setHeader("connection", "close"), refusal, options.clock);
    return;
  }
  const answerLast = (): void => {
    // Browsers open connections without a byte.
    const { bytesRead } = socket instanceof Socket ? socket : { bytesRead: 0 };
    const isFirst = latest === undefined && error.rawPacket?.length === bytesRead;
    const [method, path] = isFirst ? requestLineIn(error.rawPacket) : [];
    if (bytesRead > 0) logRefusal(options, method, path, refusal);
    options.load.record(refusal.status, options.load.ticks());
    writeLast(socket, refusal, options);
  };
  if (latest === undefined || latest.writableFinished) answerLast();
  else latest.once("close", () => destroyOnError(socket, answerLast));
};

const refusalOf = ({ code = "", message }: ParseError): Refusal => {
  const why = `This is not a request of HTTP/1.1 (${message}).`;
  return new Refusal(...(knownErrors[code] ?? [400, "ValidationError", why]));
};

/** Status, code and sentence by the code of Node. */
const knownErrors: Readonly<Record<string, readonly [number, string, string]>> = {
  HPE_HEADER_OVERFLOW: [431, "ValidationError", "The head of the request is too large."],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [
    413,
    "ValidationError",
    "The extensions of a chunk are too large.",
  ],
  HPE_INVALID_EOF_STATE: [400, "ValidationError", "The request ended before it was whole."],
  ERR_HTTP_REQUEST_TIMEOUT: [408, "RequestTimeout", "The request did not come in whole in time."],
};

/** Method and path, with which a connection's first packet begins; none without such a line. */
const requestLineIn = (packet: Uint8Array): string[] => {
  const line = Buffer.from(packet.subarray(0, maxLineBytes)).toString("latin1");
  return /^([A-Z]{1,20}) (\/[!-~]*)[ \r\n]/.exec(line)?.slice(1) ?? [];
};

const maxLineBytes = 2_000;

/** Adds a line to the log, as every request but those for the sandbox itself does, and reports it. */
const logRefusal = (
  { clock, store, events }: ServerOptions,
  method = "",
  path = "",
  { status, errorCode: verdict, message: why }: Refusal,
): void => {
  if (path.startsWith("/_sandbox")) return;
  // If the store is busy or the disk full, the client still gets its answer.
  quietly(() => {
    const time = timeOf(clock.read().business);
    const caller = { apiKey: null, accountId: null };
    store.requests.append({ ...caller, time, method, path, status, verdict, why });
    events.reportRequests();
  });
};

/** The answer and the end of a connection that has no request to answer. */
const writeLast = (socket: Duplex, refusal: Refusal, { clock, wait }: ServerOptions): void => {
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const { status, headers, body } = refusalAnswer(refusal, { date: clock.read().signing });
  const lines = Object.entries({ ...headers, "content-length": body.length, connection: "close" });
  const head = `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join("")}\r\n`;
  const gone = new AbortController();
  socket.once("close", () => gone.abort());
  socket.end(Buffer.concat([Buffer.from(head), body]));
  void wait(lingerMs, gone.signal)
    .catch(() => undefined)
    .then(() => socket.destroy());
};
