/** Opens a connection step by step, so that a failure tells how far it came. */
import { connect as connectTcp, isIP, type Socket } from "node:net";
import { Broken } from "../contract/wire.ts";
import { portOf } from "./address.ts";
import { tunnel } from "./proxy.ts";

export interface Route {
  readonly target: URL;
  readonly proxy: URL | undefined;
  /** For the connection, the proxy's answer and the handshake, each. */
  readonly stepMs: number;
  readonly signal: AbortSignal;
}

/**
 * A connection that is ready to carry a request. Rejects with `Broken`: `unconnected` before there is
 * a line to the target, `insecure` before its certificate was accepted. Nothing was sent in either.
 */
export const openConnection = async (route: Route): Promise<Socket> => {
  const { target, proxy, stepMs } = route;
  const line = await reach(route);
  try {
    if (proxy) await within(line, stepMs, tunnel(line, proxy, target));
    return target.protocol === "https:" ? await secure(line, target, stepMs) : line;
  } catch (error) {
    line.destroy();
    throw error;
  }
};

/** TCP to a host, and TLS where that is an HTTPS proxy. */
const reach = async ({ target, proxy, stepMs, signal }: Route): Promise<Socket> => {
  const url = proxy ?? target;
  const socket = connectTcp({
    host: bare(url.hostname),
    port: portOf(url),
    autoSelectFamily: true,
    noDelay: true,
    keepAlive: true,
  });
  endWith(socket, signal);
  const who = proxy ? `the proxy ${url.host}` : url.host;
  try {
    await ready(socket, "connect", stepMs);
    return proxy?.protocol === "https:" ? await secure(socket, url, stepMs) : socket;
  } catch (error) {
    socket.destroy();
    const code = codeOf(error);
    const words = failureWords(code, who);
    throw new Broken("unconnected", proxy ? "ProxyFailed" : code, words, error);
  }
};

/**
 * Closes the socket when the signal fires. The platform's own option leaves its listener on the signal
 * when the socket is gone, and one signal serves all connections that come one after the other.
 */
const endWith = (socket: Socket, signal: AbortSignal): void => {
  const end = (): void => void socket.destroy();
  if (signal.aborted) {
    end();
    return;
  }
  signal.addEventListener("abort", end, { once: true });
  socket.once("close", () => signal.removeEventListener("abort", end));
};

/** TLS on an open connection, with the certificate checked for the host's name. */
const secure = async (socket: Socket, url: URL, stepMs: number): Promise<Socket> => {
  const { connect: connectTls } = await import("node:tls");
  const host = bare(url.hostname);
  const secured = connectTls({
    socket,
    host,
    ...(isIP(host) === 0 && { servername: host }),
    ALPNProtocols: ["http/1.1"],
  });
  try {
    await ready(secured, "secureConnect", stepMs);
    return secured;
  } catch (error) {
    secured.destroy();
    const code = codeOf(error);
    throw new Broken("insecure", code, tlsWords(code, url.host), error);
  }
};

/** `[::1]` → `::1` */
const bare = (hostname: string): string => hostname.replace(/^\[(.*)\]$/, "$1");

/** Resolves when the event comes, rejects when the socket fails, closes or is silent for too long. */
const ready = (socket: Socket, event: "connect" | "secureConnect", ms: number): Promise<void> =>
  within(
    socket,
    ms,
    new Promise((resolve, reject) => {
      const late = (): void => reject(new Broken("unconnected", "ETIMEDOUT", "time is up"));
      const closed = (): void => reject(new Broken("unconnected", "ECONNRESET", "closed"));
      socket.once(event, resolve).once("error", reject).once("timeout", late).once("close", closed);
    }),
  );

/** Runs the socket's own clock during one step. A failure after it is its next owner's to see. */
const within = async (socket: Socket, ms: number, step: Promise<void>): Promise<void> => {
  socket.setTimeout(ms);
  socket.on("error", ignore);
  try {
    await step;
  } finally {
    socket.setTimeout(0);
  }
};

const ignore = (): undefined => undefined;

/** The platform's code; of several addresses that were tried, the first one's. */
export const codeOf = (error: unknown): string => {
  if (error instanceof AggregateError && error.errors.length > 0) return codeOf(error.errors[0]);
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return typeof code === "string" ? code : "UNKNOWN";
};

const failureWords = (code: string, who: string): string => {
  const known: Readonly<Record<string, string>> = {
    ENOTFOUND: `there is no host ${who}`,
    EAI_AGAIN: `the name of ${who} could not be looked up`,
    ECONNREFUSED: `no service answers at ${who}: the connection was refused`,
    ETIMEDOUT: `there was no connection to ${who} in time`,
  };
  return known[code] ?? `there was no connection to ${who} (${code})`;
};

const tlsWords = (code: string, who: string): string => {
  const known: Readonly<Record<string, string>> = {
    CERT_HAS_EXPIRED: "has expired",
    CERT_NOT_YET_VALID: "is not valid yet",
    DEPTH_ZERO_SELF_SIGNED_CERT: "is signed by itself, not by an authority",
    SELF_SIGNED_CERT_IN_CHAIN: "comes from an authority that is not known here",
    UNABLE_TO_VERIFY_LEAF_SIGNATURE: "comes from an authority that is not known here",
    UNABLE_TO_GET_ISSUER_CERT_LOCALLY: "comes from an authority that is not known here",
    ERR_TLS_CERT_ALTNAME_INVALID: "is made out to another name",
  };
  const fault = known[code];
  if (fault !== undefined) return `the certificate of ${who} ${fault} (${code})`;
  return `no secure connection to ${who} came about (${code})`;
};
