/** The sandbox over HTTP: the same requests as in this process, on loopback only. */
import { createServer, type Server } from "node:http";
import { loopbackHosts } from "../contract/sandbox-state.ts";
import { usage } from "../errors.ts";
import { type ApplicationParts, application } from "./application.ts";
import type { LoadFigures } from "./load.ts";
import { answerUnparsed } from "./unparsed.ts";

export interface Limits {
  readonly maxHeaderSize: number;
  /** Milliseconds for the head of a request, and for all of it. */
  readonly headersTimeout: number;
  readonly requestTimeout: number;
  readonly connectionsCheckingInterval: number;
}

export interface ListenOptions {
  /** 0 takes a free one. */
  readonly port: number;
  /** `127.0.0.1` (when left out), `::1` or `localhost`; nothing that other machines could reach. */
  readonly host?: string | undefined;
  /** Other times than the usual ones. */
  readonly limits?: Partial<Limits> | undefined;
}

/** A running server and where it answers. */
export interface Listening {
  readonly baseUrl: string;
  readonly authUrl: string;
  readonly pages: string;
  /** What it had to do so far. */
  readonly load: () => LoadFigures | undefined;
  /** Resolves when what is in flight is answered and the port is free. */
  close(): Promise<void>;
}

export interface ServerParts extends ApplicationParts {
  /** Lets everything happen that is due by now; called on a timer for those who only watch. */
  readonly advance: () => void;
}

const advanceEveryMs = 200;
/** How long a stop waits for requests that are being answered. */
const graceMs = 5_000;
/** reliability 4.6, "limits". */
const limits: Limits = {
  maxHeaderSize: 16 * 1024,
  headersTimeout: 10_000,
  requestTimeout: 60_000,
  connectionsCheckingInterval: 2_000,
};

/** Starts the server. Throws MsgError (usage) for a foreign host and a port that is in use. */
export const listen = async (parts: ServerParts, options: ListenOptions): Promise<Listening> => {
  const host = options.host ?? "127.0.0.1";
  if (!loopbackHosts.some((it) => it === host)) {
    throw usage(`the sandbox listens on loopback only, not on '${host}'`, {
      code: "InvalidHost",
      todo: `use one of ${loopbackHosts.join(", ")}`,
    });
  }
  // Node's own answer to a missing Host has no body; the gate's has.
  const server = createServer({ ...limits, ...options.limits, requireHostHeader: false });
  server.maxConnections = 1024;
  const stop = new AbortController();
  // A kept-alive connection turns idle only after its answer is out; a stop must not wait for it.
  server.on("request", (_, outgoing) =>
    outgoing.on("close", () => stop.signal.aborted && server.closeIdleConnections()),
  );
  const port = await bind(server, host, options.port);
  server.on("request", application(parts, port));
  answerUnparsed(server, parts);
  parts.load.begin();
  void advanceUntil(parts, stop.signal);
  const baseUrl = `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
  return {
    baseUrl,
    authUrl: baseUrl,
    pages: `${baseUrl}/_sandbox/`,
    load: parts.load.figures,
    close: () => close(server, parts, stop),
  };
};

/** Answers the port that was taken. */
const bind = (server: Server, host: string, port: number): Promise<number> =>
  new Promise((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => {
      const isTaken = error.code === "EADDRINUSE";
      const why = isTaken ? "is in use" : `cannot be opened (${error.code ?? error.message})`;
      reject(
        usage(`port ${port} of ${host} ${why}`, {
          code: isTaken ? "PortInUse" : "PortNotOpened",
          todo: "name another with --port; --port 0 takes a free one",
          cause: error,
        }),
      );
    });
    server.listen(port, host, () => resolve(portOf(server)));
  });

const portOf = (server: Server): number => {
  const address = server.address();
  return typeof address === "object" && address !== null ? address.port : 0;
};

const advanceUntil = async (
  { wait, advance, events }: ServerParts,
  signal: AbortSignal,
): Promise<void> => {
  const beat = (): void => {
    try {
      advance();
      // Rows that other processes wrote come by no request of ours.
      events.tell();
      events.tellChanges();
    } catch {
      // The store is busy or the disk full: requests answer with it, and the next beat tries again.
      return;
    }
  };
  while (!signal.aborted) {
    await wait(advanceEveryMs, signal).catch(() => undefined);
    if (!signal.aborted) beat();
  }
};

const close = async (
  server: Server,
  { wait, events }: ServerParts,
  stop: AbortController,
): Promise<void> => {
  stop.abort();
  events.close();
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  const done = new AbortController();
  const grace = wait(graceMs, done.signal).catch(() => undefined);
  await Promise.race([closed, grace]);
  done.abort();
  server.closeAllConnections();
  await closed;
};
