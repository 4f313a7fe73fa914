/** The end of the stack: bytes over HTTP/1.1. Redirects are not followed, nothing is unpacked. */
import type { Socket } from "node:net";
import type { Client as Undici } from "undici";
import { type Answer, Broken, type Send, type Wire } from "../contract/wire.ts";
import { readAddress } from "./address.ts";
import { openConnection, type Route } from "./connection.ts";
import { Exchange } from "./exchange.ts";
import { createLanes } from "./lanes.ts";
import { type Env, proxyFor } from "./proxy.ts";
import { createStops } from "./stops.ts";

export interface NetworkOptions {
  /** The service's address; a path in it goes before every path. */
  readonly url: string;
  /** Where HTTP_PROXY, HTTPS_PROXY and NO_PROXY are read. */
  readonly env: Env;
  /** For one request, from connecting to its last byte; undefined for no such limit. */
  readonly timeoutMs: number | undefined;
  readonly wait: (ms: number, signal?: AbortSignal) => Promise<void>;
  readonly limits?: Partial<Limits> | undefined;
}

/** Times of reliability.md 2.3. A short one for writes would manufacture doubt. */
export interface Limits {
  /** To connect, to be let through by a proxy, and for the TLS handshake, each. */
  readonly connectMs: number;
  readonly firstByteOfReadMs: number;
  readonly firstByteOfWriteMs: number;
  /** Between two pieces of a body. */
  readonly idleMs: number;
  /** For a body that comes in pieces. */
  readonly bodyMs: number;
  readonly bodyBytes: number;
}

const usual: Limits = {
  connectMs: 10_000,
  firstByteOfReadMs: 30_000,
  firstByteOfWriteMs: 120_000,
  idleMs: 60_000,
  bodyMs: 600_000,
  bodyBytes: 32 * 1024 * 1024,
};

export interface Network {
  /** One request, sent once. Rejects with `Broken`. */
  readonly send: Send;
  readonly close: () => Promise<void>;
}

/** Connections to one host. Opens none until the first request. Throws usage for a bad address. */
export const network = (options: NetworkOptions): Network => {
  const target = readAddress(options.url);
  const limits = { ...usual, ...options.limits };
  const route = { target, proxy: proxyFor(target, options.env), stepMs: limits.connectMs };
  const lanes = createLanes<Lane, typeof Undici>((Client) => openLane(Client, route, limits), shut);
  const loaded: { Client?: typeof Undici } = {};
  const stops = createStops();
  const prefix = target.pathname.replace(/\/$/, "");
  const { timeoutMs: totalMs, wait } = options;
  const { bodyMs, bodyBytes } = limits;
  return {
    send: async (wire, signal) => {
      loaded.Client ??= await loadClient();
      if (signal.aborted) throw new Broken("unconnected", "Interrupted", "stopped");
      const { lane, keep, drop } = lanes.take(wire.method === "GET", loaded.Client);
      const { failure: unconnected } = lane;
      lane.begin();
      const exchange = new Exchange({ bodyMs, bodyBytes, totalMs, wait, unconnected });
      stops.add(signal, exchange);
      lane.client.dispatch(requestOf(wire, prefix, limits), exchange);
      try {
        const answer = await exchange.answer;
        // Given before the request was there: nothing more of it leaves, its memory may be used again.
        if (lane.isSending()) drop();
        else keep(promisesToStay(answer));
        return answer;
      } catch (error) {
        drop();
        throw error;
      } finally {
        stops.remove(signal, exchange);
      }
    },
    close: lanes.close,
  };
};

/** Loaded when the first request goes over the network: a start must not be spent on it. */
const loadClient = async (): Promise<typeof Undici> => (await import("undici")).Client;

const requestOf = ({ method, target, headers, body }: Wire, prefix: string, limits: Limits) => ({
  path: prefix + target,
  method,
  headers,
  body: body ?? null,
  headersTimeout: method === "GET" ? limits.firstByteOfReadMs : limits.firstByteOfWriteMs,
});

const promisesToStay = ({ headers }: Answer): boolean =>
  /\btimeout=[1-9]/.test(headers["keep-alive"] ?? "") && !/close/i.test(headers.connection ?? "");

/** One connection: not there before its first request, nor once the other side has hung up. */
interface Lane {
  readonly client: Undici;
  readonly stop: AbortController;
  /** To be called before each request: it may connect once. */
  readonly begin: () => void;
  /** Why the attempt to connect failed. */
  readonly failure: () => Broken | undefined;
  /** Part of what was written to it has not left. */
  readonly isSending: () => boolean;
}

const openLane = (Client: typeof Undici, route: Omit<Route, "signal">, limits: Limits): Lane => {
  const stop = new AbortController();
  const state: { connected: boolean; failure?: Broken; socket?: Socket } = { connected: false };
  const client = new Client(route.target.origin, {
    pipelining: 1,
    bodyTimeout: limits.idleMs,
    keepAliveMaxTimeout: limits.idleMs,
    connect: (_, callback) => {
      const opened = state.connected
        ? brokenAtOnce()
        : openConnection({ ...route, signal: stop.signal });
      state.connected = true;
      opened.then(
        (socket) => {
          state.socket = socket;
          callback(null, socket);
        },
        (error: unknown) => {
          if (error instanceof Broken) state.failure = error;
          // Without a code: there are codes after which the library tries again on its own.
          callback(new Error("not connected", { cause: error }), null);
        },
      );
    },
  });
  const begin = (): void => {
    state.connected = false;
    delete state.failure;
  };
  const isSending = (): boolean => (state.socket?.writableLength ?? 0) > 0;
  return { client, stop, begin, failure: () => state.failure, isSending };
};

/** The library would connect for ever to a service that hangs up before a request is written. */
const brokenAtOnce = (): Promise<never> =>
  Promise.reject(
    new Broken("unconnected", "ECONNRESET", "the service hung up before the request was sent"),
  );

const shut = async ({ client, stop }: Lane): Promise<void> => {
  stop.abort();
  await client.destroy(null);
};
