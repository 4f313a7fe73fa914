/** Real servers on loopback for the client's tests: what they answer and how they break is the test's. */
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import {
  createServer as createHttp,
  type Server as HttpServer,
  type IncomingHttpHeaders,
  type RequestListener,
} from "node:http";
import { createServer as createTcp, type Server, type Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { afterEach } from "vitest";
import type { Client } from "../../src/client/client.ts";
import { type ClientOptions, createClient } from "../../src/client/index.ts";
import { createNetwork, type NetworkOptions } from "../../src/client/transport/network.ts";
import { MsgError } from "../../src/errors.ts";

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

export interface Seen {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  /** The same number: the same connection. */
  readonly port: number;
}

export interface Reply {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}

export interface Service {
  readonly url: string;
  readonly seen: readonly Seen[];
}

/** Answers the n-th request with `replies[n]`, and all that follow with the last one. */
export const service = async (...replies: readonly Reply[]): Promise<Service> => {
  const seen: Seen[] = [];
  const answer: RequestListener = (request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const {
        status = 200,
        headers = {},
        body = "",
      } = replies[Math.min(seen.length, replies.length - 1)] ?? {};
      seen.push({
        method: request.method ?? "",
        path: request.url ?? "",
        headers: request.headers,
        body: Buffer.concat(chunks).toString(),
        port: request.socket.remotePort ?? 0,
      });
      response.writeHead(status, { "content-type": "application/json", ...headers }).end(body);
    });
  };
  const server = createHttp(answer);
  return { url: `http://127.0.0.1:${await listen(server)}`, seen };
};

/** A server of bytes: `serve` is called for each connection. */
export const rawService = async (
  serve: (socket: Socket, connection: number) => void,
  server: Server = createTcp(),
  event = "connection",
): Promise<{ readonly port: number; readonly url: string; readonly connections: () => number }> => {
  const sockets = new Set<Socket>();
  let connections = 0;
  server.on(event, (socket: Socket) => {
    sockets.add(socket);
    socket.on("error", () => socket.destroy());
    connections += 1;
    serve(socket, connections);
  });
  const port = await listen(server);
  // Runs before the server closes: it would wait for the last of them.
  closing.push(async () => {
    for (const socket of sockets) socket.destroy();
  });
  return { port, url: `http://127.0.0.1:${port}`, connections: () => connections };
};

export const listen = async (server: Server | HttpServer, host = "127.0.0.1"): Promise<number> => {
  server.listen(0, host);
  await once(server, "listening");
  closing.push(async () => {
    if ("closeAllConnections" in server) server.closeAllConnections();
    server.close();
    await once(server, "close");
  });
  const address = server.address();
  return typeof address === "object" && address ? address.port : 0;
};

/** A port on which nobody listens. */
export const closedPort = async (): Promise<number> => {
  const server = createTcp().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  return typeof address === "object" && address ? address.port : 0;
};

export const key = {
  kind: "key",
  apiKey: "SANDBOXKEY000001",
  apiSecret: "SANDBOXSECRET0000000000000000000",
} as const;

export const wait = async (ms: number, signal?: AbortSignal): Promise<void> => {
  await delay(ms, undefined, signal ? { signal } : {});
};

export interface Given extends Partial<ClientOptions> {
  readonly network?: Partial<NetworkOptions>;
}

export interface Told {
  readonly client: Client;
  /** How long the client would have waited between its attempts. */
  readonly waits: readonly number[];
}

/** A client of a server; it does not really wait between attempts. */
export const clientOf = (url: string, given: Given = {}): Told => {
  const waits: number[] = [];
  const end = createNetwork({ url, env: {}, timeoutMs: undefined, wait, ...given.network });
  closing.push(end.close);
  const client = createClient({
    transports: { base: end.send, auth: end.send },
    credentials: key,
    now: () => new Date(),
    ticks: () => performance.now(),
    random: randomBytes,
    wait: async (ms) => {
      waits.push(ms);
    },
    close: end.close,
    ...given,
  });
  return { client, waits };
};

/** The error that a call ends with. */
export const failure = async (call: Promise<unknown>): Promise<MsgError> => {
  const error: unknown = await call.then(
    (value) => new Error(`no failure but ${JSON.stringify(value)}`),
    (thrown: unknown) => thrown,
  );
  if (error instanceof MsgError) return error;
  throw error;
};
