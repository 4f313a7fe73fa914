/** The end of the stack: bytes over HTTP/1.1, and the pool of connections. Redirects are not followed, nothing is unpacked. */
import type { Socket } from "node:net";
import {
  type Answer,
  readAddress,
  type Send,
  TransportError,
  type Wire,
} from "../../contract/wire.ts";
import { usageError } from "../../errors.ts";
import { openConnection, proxyFor, type Route } from "./connector.ts";
import { Exchange, type ExchangeOptions } from "./exchange.ts";

export interface NetworkOptions extends Pick<ExchangeOptions, "timeoutMs" | "wait"> {
  /** The service's address; a path in it is prepended to every path. */
  readonly url: string;
  /** The source of HTTP_PROXY, HTTPS_PROXY and NO_PROXY. */
  readonly env: NodeJS.ProcessEnv;
  readonly limits?: Partial<Limits> | undefined;
}

/** A short limit for the first byte of a write would make sends unknown that are only slow. */
export interface Limits extends Pick<ExchangeOptions, "idleMs" | "bodyMs" | "bodyBytes"> {
  /** Limit for each of: the connection, the proxy's answer, the TLS handshake. */
  readonly connectMs: number;
  readonly firstByteOfReadMs: number;
  readonly firstByteOfWriteMs: number;
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
  const common = { ...limits, timeoutMs: options.timeoutMs, wait: options.wait };
  const ofRead = { ...common, firstByteMs: limits.firstByteOfReadMs };
  const ofWrite = { ...common, firstByteMs: limits.firstByteOfWriteMs };
  const pool = createConnectionPool(() => createConnection(route));
  return {
    send: async (wire, signal) => {
      if (signal.aborted) throw new TransportError("unconnected", "Interrupted", "stopped");
      const isRead = wire.method === "GET";
      const exchange = new Exchange(isRead ? ofRead : ofWrite);
      const stop = (): void => exchange.stop();
      signal.addEventListener("abort", stop, { once: true });
      const { connection, keep, drop } = pool.take(isRead);
      const headers = { host: target.host, connection: "keep-alive", ...wire.headers };
      const request = { ...wire, target: prefix + wire.target, headers };
      connection.begin(exchange, request).catch((error: unknown) => exchange.end(error));
      try {
        const answer = await exchange.answer;
        const promisedMs = keepAliveMs(answer);
        connection.idle(promisedMs ?? defaultIdleMs);
        // If the answer came before the whole request: nothing more of it leaves, its memory may be used again.
        if (exchange.isWritten) keep(promisedMs !== undefined);
        else drop();
        return answer;
      } catch (error) {
        drop();
        throw error;
      } finally {
        signal.removeEventListener("abort", stop);
      }
    },
    close: pool.close,
  };
};

const assertAddress = (written: string): URL => {
  const { url, fault } = readAddress(written);
  if (url) return url;
  throw usageError(fault.text, { todo: fault.todo });
};

/** How long a connection may be reused if the service does not say how long it keeps it. */
const defaultIdleMs = 4_000;

/** A connection is given up this much earlier than the service has promised to keep it. */
const marginMs = 1_000;

const maxIdleMs = 60_000;

/** How long the connection may be reused, if the service has said so. */
const keepAliveMs = ({ headers }: Answer): number | undefined => {
  const [, seconds] = /\btimeout=([1-9]\d*)/.exec(headers["keep-alive"] ?? "") ?? [];
  if (seconds === undefined || /close/i.test(headers.connection ?? "")) return undefined;
  return Math.max(Math.min(Number(seconds) * 1_000 - marginMs, maxIdleMs), 1);
};

/**
 * From this many writes under way on, a new connection for each would be the bottleneck: opening
 * one takes several times as long as a request. Below it every write gets a fresh one.
 */
const burst = 8;

/** One connection to the service: closed before its first request and after the other side hangs up. */
interface Connection {
  readonly close: () => void;
}

/**
 * A read takes any idle connection, for it can be repeated. A write takes a fresh one: its outcome
 * would be unknown on a used connection that the other side is about to close. Only in a burst does
 * it take one that the service has just promised to keep open (`keep-alive: timeout=…`).
 */
export const createConnectionPool = <C extends Connection>(open: () => C) => {
  const idle: { readonly connection: C; readonly isPromised: boolean }[] = [];
  const busy = new Set<C>();
  let writes = 0;
  const reusable = (isRead: boolean): C | undefined => {
    if (isRead) return idle.pop()?.connection;
    const at = writes < burst ? -1 : idle.findLastIndex((it) => it.isPromised);
    return at < 0 ? undefined : idle.splice(at, 1)[0]?.connection;
  };
  return {
    take: (isRead: boolean) => {
      const connection = reusable(isRead) ?? open();
      if (!isRead) writes += 1;
      busy.add(connection);
      const release = (): void => {
        if (busy.delete(connection) && !isRead) writes -= 1;
      };
      return {
        connection,
        /** Gives the connection back after a complete answer; `isPromised`: the service keeps it open. */
        keep: (isPromised: boolean): void => {
          release();
          // More idle connections than busy ones are not needed.
          if (idle.length <= busy.size) idle.push({ connection, isPromised });
          else connection.close();
        },
        drop: (): void => {
          release();
          connection.close();
        },
      };
    },
    close: async (): Promise<void> => {
      for (const { connection } of idle.splice(0)) connection.close();
      for (const connection of busy) connection.close();
    },
  };
};

interface HttpConnection extends Connection {
  /** Sends a request, after opening the connection if it is not open. */
  readonly begin: (exchange: Exchange, wire: Wire) => Promise<void>;
  /** The connection stays idle for at most this many milliseconds. */
  readonly idle: (ms: number) => void;
}

const createConnection = (route: Route): HttpConnection => {
  const stop = new AbortController();
  const state: { socket?: Socket; exchange?: Exchange | undefined } = {};
  const open = async (): Promise<Socket> => {
    const socket = await openConnection(route, stop.signal);
    // Bytes that come while no request is open would be read as the next answer.
    socket.on("data", () => (state.exchange ? state.exchange.advance() : socket.destroy()));
    socket.on("timeout", () => (state.exchange ? state.exchange.expire() : socket.destroy()));
    state.socket = socket;
    return socket;
  };
  return {
    begin: async (exchange, wire) => {
      state.exchange = exchange;
      exchange.begin(wire, state.socket?.writable ? state.socket : await open());
    },
    idle: (ms) => {
      state.exchange = undefined;
      state.socket?.setTimeout(ms);
    },
    close: () => {
      stop.abort();
      state.socket?.destroy();
    },
  };
};
