/**
 * Opens a connection by undici's connector, step by step: undici itself makes one error of TCP and TLS,
 * and its ProxyAgent names a proxy's refusal in a sentence only and waits for it for minutes.
 */
import { Socket } from "node:net";
import type { buildConnector } from "undici";
import { TransportError } from "../../contract/wire.ts";
import { portOf } from "./proxy.ts";

export type Undici = typeof import("undici");

export interface Route {
  readonly target: URL;
  readonly proxy: URL | undefined;
  /** For the connection, the proxy's answer and the handshake, each. */
  readonly stepMs: number;
}

/**
 * A connection that is ready to carry a request. Rejects with `TransportError`: `unconnected` before
 * there is a line to the target, `insecure` before its certificate was accepted.
 */
export const openConnection = async (
  undici: Undici,
  route: Route,
  signal: AbortSignal,
): Promise<Socket> => {
  const { target } = route;
  const connect = undici.buildConnector({ timeout: route.stepMs, signal });
  const socket = await reach(undici, connect, route);
  if (target.protocol !== "https:") return socket;
  try {
    return await step(connect, { ...addressOf(target), httpSocket: socket });
  } catch (error) {
    socket.destroy();
    const code = codeOf(error);
    throw new TransportError("insecure", code, describeTlsFailure(code, target.host), error);
  }
};

export interface SingleConnector {
  readonly connect: buildConnector.connector;
  /** To be called before each request but the first: it may connect once. */
  readonly allow: () => void;
}

/**
 * Lets a client connect once for each request: undici would connect for ever to a service that hangs up
 * before a request is written. The error has no code of its own: after some codes undici would not tell it.
 */
export const connectOnce = (open: () => Promise<Socket>): SingleConnector => {
  const state = { tried: false };
  const connect: buildConnector.connector = (_, callback) => {
    const opened = state.tried ? Promise.reject(hungUp()) : open();
    state.tried = true;
    opened.then(
      (socket) => callback(null, socket),
      (error: unknown) => callback(new Error("not connected", { cause: error }), null),
    );
  };
  const allow = (): void => {
    state.tried = false;
  };
  return { connect, allow };
};

const hungUp = (): TransportError =>
  new TransportError(
    "unconnected",
    "ECONNRESET",
    "the service hung up before the request was sent",
  );

const step = (
  connect: buildConnector.connector,
  options: buildConnector.Options,
): Promise<Socket> =>
  new Promise((resolve, reject) =>
    connect(options, (...[error, socket]) => (socket ? resolve(socket) : reject(error))),
  );

const addressOf = (url: URL): buildConnector.Options => ({
  protocol: url.protocol,
  host: url.host,
  // `[::1]` → `::1`
  hostname: url.hostname.replace(/^\[(.*)\]$/, "$1"),
  port: String(portOf(url)),
});

/** A line to the target, without TLS of its own. */
const reach = async (
  undici: Undici,
  connect: buildConnector.connector,
  route: Route,
): Promise<Socket> => {
  const { target, proxy } = route;
  if (proxy) return await tunnel(undici, connect, { ...route, proxy });
  try {
    return await step(connect, { ...addressOf(target), protocol: "http:" });
  } catch (error) {
    const code = codeOf(error);
    throw new TransportError("unconnected", code, describeFailure(code, target.host), error);
  }
};

/** The line that a proxy leads on to the target. */
const tunnel = async (
  { Client }: Undici,
  connect: buildConnector.connector,
  { target, proxy, stepMs }: Route & { readonly proxy: URL },
): Promise<Socket> => {
  const client = new Client(proxy.origin, {
    connect: connectOnce(() => step(connect, addressOf(proxy))).connect,
    headersTimeout: stepMs,
  });
  const who = `the proxy ${proxy.host}`;
  const path = `${target.hostname}:${portOf(target)}`;
  const headers = { host: path, ...authorization(proxy) };
  const { statusCode, socket } = await client.connect({ path, headers }).catch((error: Error) => {
    const text = describeFailure(codeOf(error.cause ?? error), who);
    throw new TransportError("unconnected", "ProxyFailed", text, error);
  });
  // Until its next owner listens, a failure must not end the process.
  socket.on("error", () => undefined);
  if (socket instanceof Socket && statusCode >= 200 && statusCode < 300) return socket;
  socket.destroy();
  const text = `${who} ${refusal(statusCode, target)}`;
  throw new TransportError("unconnected", `ProxyAnswered${statusCode}`, text);
};

const refusal = (status: number, target: URL): string =>
  status === 407
    ? "asks for a user name and password (407)"
    : `did not lead on to ${target.host} (answered ${status})`;

const authorization = ({ username, password }: URL): Readonly<Record<string, string>> => {
  if (username === "") return {};
  const user = Buffer.from(`${decoded(username)}:${decoded(password)}`).toString("base64");
  return { "proxy-authorization": `Basic ${user}` };
};

/** A % that begins no code means itself, as people write it into a variable. */
const decoded = (encoded: string): string => {
  try {
    return decodeURIComponent(encoded);
  } catch {
    return encoded;
  }
};

/** The platform's code; of several addresses that were tried, the first one's. */
export const codeOf = (error: unknown): string => {
  if (error instanceof AggregateError && error.errors.length > 0) return codeOf(error.errors[0]);
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  if (code === "UND_ERR_CONNECT_TIMEOUT") return "ETIMEDOUT";
  return typeof code === "string" ? code : "UNKNOWN";
};

const describeFailure = (code: string, who: string): string => {
  const known: Readonly<Record<string, string>> = {
    ENOTFOUND: `there is no host ${who}`,
    EAI_AGAIN: `the name of ${who} could not be looked up`,
    ECONNREFUSED: `no service answers at ${who}: the connection was refused`,
    ETIMEDOUT: `there was no connection to ${who} in time`,
    UND_ERR_HEADERS_TIMEOUT: `${who} did not answer in time`,
    UND_ERR_SOCKET: `${who} closed the connection`,
  };
  return known[code] ?? `there was no connection to ${who} (${code})`;
};

const describeTlsFailure = (code: string, who: string): string => {
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
