/** The sandbox over HTTP: the same requests as in this process, on loopback only. */
import { createServer, type Server } from "node:http";
import { loopbackHosts, loopbackUrl } from "../../contract/wire.ts";
import { usageError } from "../../errors.ts";
import { memberOf } from "../../json/read-json.ts";
import { createListener, type ServerOptions } from "./listener.ts";
import type { LoadFigures } from "./load-meter.ts";
import { answerParseErrors } from "./parse-errors.ts";

export type Limits = typeof limits;

export interface ListenOptions {
  /** 0 chooses a free one. */
  readonly port: number;
  /** `127.0.0.1` (when left out), `::1` or `localhost`; never reachable from other machines. */
  readonly host?: string | undefined;
  /** Other times than the defaults. */
  readonly limits?: Partial<Limits> | undefined;
}

/** A running server and where it answers. */
export interface Listening {
  readonly baseUrl: string;
  readonly authUrl: string;
  readonly pages: string;
  readonly load: () => LoadFigures;
  /** Resolves when all requests in flight are answered and the port is free. */
  close(): Promise<void>;
}

const jobsEveryMs = 200;
/** The pause between two portions of due work, for answering requests. */
const restMs = 2;
/** How many portions of due work are reported to watchers at once. */
const portionsPerReport = 10;
/** How long a stop waits for requests that are being answered. */
const shutdownMs = 5_000;
/** A slow or endless request must not keep a connection for long: milliseconds for its head, and for all of it. */
const limits = {
  maxHeaderSize: 16 * 1024,
  headersTimeout: 10_000,
  requestTimeout: 60_000,
  connectionsCheckingInterval: 2_000,
};

/** Starts the server. Throws MsgError (usage) for a foreign host and a port that is in use. */
export const listen = async (options: ServerOptions, wish: ListenOptions): Promise<Listening> => {
  const host = loopbackHosts.find((it) => it === (wish.host ?? "127.0.0.1"));
  if (host === undefined) {
    throw usageError(`the sandbox listens on loopback only, not on '${wish.host}'`, {
      code: "InvalidHost",
      todo: `use one of ${loopbackHosts.join(", ")}`,
    });
  }
  // Node's own answer to a missing Host has no body; the guard's has one.
  const server = createServer({ ...limits, ...wish.limits, requireHostHeader: false });
  server.maxConnections = 1024;
  const stop = new AbortController();
  // A kept-alive connection turns idle only after its answer is out; a stop must not wait for it.
  server.on("request", (_, outgoing) =>
    outgoing.on("close", () => stop.signal.aborted && server.closeIdleConnections()),
  );
  const port = await bind(server, host, wish.port);
  server.on("request", createListener(options, port));
  answerParseErrors(server, options);
  void runJobsUntil(options, stop.signal);
  const baseUrl = loopbackUrl(host, port);
  return {
    baseUrl,
    authUrl: baseUrl,
    pages: `${baseUrl}/_sandbox/`,
    load: options.load.figures,
    close: () => close(server, options, stop),
  };
};

/** Returns the chosen port. */
const bind = (server: Server, host: string, port: number): Promise<number> =>
  new Promise((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => {
      const isTaken = error.code === "EADDRINUSE";
      const why = isTaken ? "is in use" : `cannot be opened (${error.code ?? error.message})`;
      reject(
        usageError(`port ${port} of ${host} ${why}`, {
          code: isTaken ? "PortInUse" : "PortNotOpened",
          todo: "name another with --port; --port 0 takes a free one",
          cause: error,
        }),
      );
    });
    server.listen(port, host, () => resolve(Number(memberOf(server.address(), "port"))));
  });

const runJobsUntil = async (
  { wait, runDueJobs, events }: ServerOptions,
  signal: AbortSignal,
): Promise<void> => {
  /** True if due work is left. */
  const tick = (isReport: boolean): boolean => {
    try {
      const isDone = runDueJobs();
      if (isDone || isReport) {
        // Rows of other processes arrive without a request here.
        events.reportRequests();
        events.reportChanges();
      }
      return !isDone;
    } catch {
      // The store is busy or the disk full: requests report that, and the next tick tries again.
      return false;
    }
  };
  let isBehind = false;
  for (let portion = 1; !signal.aborted; portion += 1) {
    await wait(isBehind ? restMs : jobsEveryMs, signal).catch(() => undefined);
    if (!signal.aborted) isBehind = tick(portion % portionsPerReport === 0);
  }
};

const close = async (
  server: Server,
  { wait, events }: ServerOptions,
  stop: AbortController,
): Promise<void> => {
  stop.abort();
  events.close();
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  const done = new AbortController();
  const timeout = wait(shutdownMs, done.signal).catch(() => undefined);
  await Promise.race([closed, timeout]);
  done.abort();
  server.closeAllConnections();
  await closed;
};
