/** The end of the stack: bytes over HTTP/1.1. Redirects are not followed, nothing is unpacked. */
import type { Socket } from "node:net";
import { readAddress } from "../../contract/hosts.ts";
import { type Answer, type Send, TransportError, type Wire } from "../../contract/wire.ts";
import { usageError } from "../../errors.ts";
import { type Connection, type ConnectionPool, createConnectionPool } from "./connection-pool.ts";
import { connectOnce, openConnection, type Route, type Undici } from "./connector.ts";
import { Exchange, type ExchangeOptions } from "./exchange.ts";
import { type Env, proxyFor } from "./proxy.ts";

export interface NetworkOptions {
  /** The service's address; a path in it is put in front of every path. */
  readonly url: string;
  /** Where HTTP_PROXY, HTTPS_PROXY and NO_PROXY are read. */
  readonly env: Env;
  /** For one request, from connecting to its last byte; undefined for no such limit. */
  readonly timeoutMs: number | undefined;
  readonly wait: (ms: number, signal?: AbortSignal) => Promise<void>;
  readonly limits?: Partial<Limits> | undefined;
}

/** A short limit for the first byte of a write would end sends as unknown that are only slow. */
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

const defaultLimits: Limits = {
  connectMs: 10_000,
  firstByteOfReadMs: 30_000,
  firstByteOfWriteMs: 120_000,
  idleMs: 60_000,
  bodyMs: 600_000,
  bodyBytes: 32 * 1024 * 1024,
};

export interface Network {
  /** One request, sent once. Rejects with `TransportError`. */
  readonly send: Send;
  readonly close: () => Promise<void>;
}

/** Connections to one host. Opens none until the first request. Throws usage for a bad address. */
export const createNetwork = (options: NetworkOptions): Network => {
  const target = assertAddress(options.url);
  const limits = { ...defaultLimits, ...options.limits };
  const route = { target, proxy: proxyFor(target, options.env), stepMs: limits.connectMs };
  const prefix = target.pathname.replace(/\/$/, "");
  let opening: Promise<ConnectionPool<HttpConnection>> | undefined;
  return {
    send: async (wire, signal) => {
      opening ??= openPool(route, limits);
      const pool = await opening;
      if (signal.aborted) throw new TransportError("unconnected", "Interrupted", "stopped");
      const { connection, keep, drop } = pool.take(wire.method === "GET");
      try {
        const firstByteMs = firstByteOf(wire, limits);
        const request = requestOf(wire, prefix, firstByteMs);
        const times = { ...options, ...limits, firstByteMs };
        const answer = await exchange(connection, request, signal, times);
        // Given before the request was there: nothing more of it leaves, its memory may be used again.
        if (connection.isSending()) drop();
        else keep(promisesToStay(answer));
        return answer;
      } catch (error) {
        drop();
        throw error;
      }
    },
    close: async () => (await opening)?.close(),
  };
};

const assertAddress = (written: string): URL => {
  const { url, fault } = readAddress(written);
  if (url) return url;
  throw usageError(`'${fault.shown}' ${fault.text}`, { todo: fault.todo });
};

/** The library is loaded when the first request goes over the network: a start must not be spent on it. */
const openPool = async (route: Route, limits: Limits): Promise<ConnectionPool<HttpConnection>> => {
  const undici = await import("undici");
  return createConnectionPool(() => createConnection(undici, route, limits));
};

/** Sends one request on a connection, until its answer is complete or the operator stops it. */
const exchange = async (
  { client, allowConnect }: HttpConnection,
  request: Request,
  signal: AbortSignal,
  options: ExchangeOptions,
): Promise<Answer> => {
  const exchange = new Exchange(options);
  const stop = (): void => exchange.stop();
  signal.addEventListener("abort", stop, { once: true });
  allowConnect();
  client.dispatch(request, exchange);
  try {
    return await exchange.answer;
  } finally {
    signal.removeEventListener("abort", stop);
  }
};

type Request = Parameters<HttpConnection["client"]["dispatch"]>[0];

const firstByteOf = ({ method }: Wire, limits: Limits): number =>
  method === "GET" ? limits.firstByteOfReadMs : limits.firstByteOfWriteMs;

const requestOf = (
  { method, target, headers, body }: Wire,
  prefix: string,
  firstByteMs: number,
): Request => ({
  path: prefix + target,
  method,
  headers,
  body: body ?? null,
  headersTimeout: firstByteMs,
});

const promisesToStay = ({ headers }: Answer): boolean =>
  /\btimeout=[1-9]/.test(headers["keep-alive"] ?? "") && !/close/i.test(headers.connection ?? "");

interface HttpConnection extends Connection {
  readonly client: InstanceType<Undici["Client"]>;
  /** To be called before each request: it may connect once. */
  readonly allowConnect: () => void;
  /** Part of what was written to it has not left. */
  readonly isSending: () => boolean;
}

/** A client of one connection; each has its own signal, since a socket leaves its listener there. */
const createConnection = (undici: Undici, route: Route, limits: Limits): HttpConnection => {
  const state: { stop: AbortController; socket?: Socket } = { stop: new AbortController() };
  const { connect, allow } = connectOnce(async () => {
    state.stop = new AbortController();
    state.socket = await openConnection(undici, route, state.stop.signal);
    return state.socket;
  });
  const client = new undici.Client(route.target.origin, {
    pipelining: 1,
    bodyTimeout: limits.idleMs,
    keepAliveMaxTimeout: limits.idleMs,
    connect,
  });
  return {
    client,
    allowConnect: allow,
    isSending: () => (state.socket?.writableLength ?? 0) > 0,
    close: async () => {
      state.stop.abort();
      await client.destroy();
    },
  };
};
