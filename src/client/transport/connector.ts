/** Opens a connection in steps (proxy, TCP, TLS): the step that fails says how far the request came. */

import { once } from "node:events";
import { request } from "node:http";
import { isIP, type Socket, connect as toTcp } from "node:net";
import { connect as toTls } from "node:tls";
import { isLoopback, TransportError } from "../../contract/wire.ts";
import { quietly, systemCode } from "../../durable/files.ts";
import { usageError } from "../../errors.ts";
import { t } from "../../locale/locale.ts";

export interface Route {
  readonly target: URL;
  readonly proxy: URL | undefined;
  /** Limit for each step: the connection, the proxy's answer and the handshake. */
  readonly stepMs: number;
}

/**
 * A connection that is ready to carry a request. Rejects with `TransportError`: `unconnected` before
 * there is a connection to the target, `insecure` before its certificate was accepted.
 */
export const openConnection = async (route: Route, signal: AbortSignal): Promise<Socket> => {
  const { target, proxy } = route;
  const line = await (proxy ? tunnel(proxy, route, signal) : reach(route, signal));
  if (target.protocol !== "https:") return line;
  try {
    return await secure(line, target, route.stepMs, signal);
  } catch (error) {
    const code = codeOf(error);
    throw new TransportError("insecure", code, describeTlsFailure(code, target.host), error);
  }
};

/** Waits for the end of a step. Closes a connection that ends early, is late or is stopped. */
const within = async (
  socket: Socket,
  step: Promise<unknown>,
  stepMs: number,
  signal: AbortSignal,
): Promise<void> => {
  const over = new AbortController();
  const ended = once(socket, "close", { signal: over.signal }).then(() => {
    throw failureOf("ECONNRESET");
  });
  const stop = (): void => void socket.destroy(failureOf("ABORT_ERR"));
  signal.addEventListener("abort", stop, { once: true });
  if (signal.aborted) stop();
  const late = (): void => void socket.destroy(failureOf("ETIMEDOUT"));
  socket.setTimeout(stepMs, late);
  try {
    await Promise.race([step, ended]);
  } catch (error) {
    socket.destroy();
    throw error;
  } finally {
    over.abort();
    socket.setTimeout(0, late);
    signal.removeEventListener("abort", stop);
  }
};

const failureOf = (code: string): Error => Object.assign(new Error(code), { code });

/** TCP to a host. A failure must not end the process while no request listens. */
const dial = async (url: URL, stepMs: number, signal: AbortSignal): Promise<Socket> => {
  const socket = toTcp({ host: nameOf(url), port: portOf(url), noDelay: true, keepAlive: true });
  socket.on("error", () => undefined);
  await within(socket, once(socket, "connect"), stepMs, signal);
  return socket;
};

const secure = async (
  line: Socket,
  url: URL,
  stepMs: number,
  signal: AbortSignal,
): Promise<Socket> => {
  const host = nameOf(url);
  // A certificate cannot be chosen by an IP address.
  const servername = isIP(host) ? "" : host;
  const socket = toTls({ socket: line, host, servername, ALPNProtocols: ["http/1.1"] });
  socket.on("error", () => undefined).once("close", () => line.destroy());
  await within(socket, once(socket, "secureConnect"), stepMs, signal);
  return socket;
};

/** `[::1]` → `::1` */
const nameOf = (url: URL): string => url.hostname.replace(/^\[(.*)\]$/, "$1");

/** A connection to the target, without TLS of its own. */
const reach = async ({ target, stepMs }: Route, signal: AbortSignal): Promise<Socket> => {
  try {
    return await dial(target, stepMs, signal);
  } catch (error) {
    const code = codeOf(error);
    throw new TransportError("unconnected", code, describeFailure(code, target.host), error);
  }
};

const tunnel = async (proxy: URL, route: Route, signal: AbortSignal): Promise<Socket> => {
  const name = t`the proxy ${proxy.host}`;
  const { line, status } = await askProxy(proxy, route, signal).catch((error: unknown) => {
    const text = describeFailure(codeOf(error), name);
    throw new TransportError("unconnected", "ProxyFailed", text, error);
  });
  if (status >= 200 && status < 300) return line;
  line.destroy();
  const text =
    status === 407
      ? t`${name} asks for a user name and password (407)`
      : t`${name} did not connect to ${route.target.host} (answered ${status})`;
  throw new TransportError("unconnected", `ProxyAnswered${status}`, text);
};

/** What the proxy answers to CONNECT. */
const askProxy = async (proxy: URL, { target, stepMs }: Route, signal: AbortSignal) => {
  const tcp = await dial(proxy, stepMs, signal);
  const line = proxy.protocol === "https:" ? await secure(tcp, proxy, stepMs, signal) : tcp;
  const path = `${target.hostname}:${portOf(target)}`;
  const headers = { host: path, ...authorization(proxy) };
  const asked = request({ method: "CONNECT", path, headers, createConnection: () => line }).end();
  const answered = once(asked, "connect").then(([{ statusCode }]) => Number(statusCode));
  await within(line, answered, stepMs, signal);
  return { line, status: await answered };
};

const authorization = ({ username, password }: URL): Readonly<Record<string, string>> => {
  if (username === "") return {};
  const user = Buffer.from(`${decoded(username)}:${decoded(password)}`).toString("base64");
  return { "proxy-authorization": `Basic ${user}` };
};

/** A % that begins no code is literal, as people write it into a variable. */
const decoded = (encoded: string): string => quietly(() => decodeURIComponent(encoded)) ?? encoded;

/** The platform's code; if several addresses were tried, the code of the first. */
export const codeOf = (error: unknown): string => {
  if (error instanceof AggregateError && error.errors.length > 0) return codeOf(error.errors[0]);
  return systemCode(error) ?? "UNKNOWN";
};

const describeFailure = (code: string, who: string): string => {
  const known: Readonly<Record<string, string>> = {
    ENOTFOUND: t`no host was found for ${who}`,
    EAI_AGAIN: t`the name of ${who} could not be looked up`,
    ECONNREFUSED: t`no service answers at ${who}: the connection was refused`,
    ECONNRESET: t`${who} closed the connection`,
    ETIMEDOUT: t`no connection to ${who} in time`,
  };
  return known[code] ?? t`no connection to ${who} (${code})`;
};

const describeTlsFailure = (code: string, who: string): string => {
  const known: Readonly<Record<string, string>> = {
    CERT_HAS_EXPIRED: t`the certificate of ${who} has expired`,
    CERT_NOT_YET_VALID: t`the certificate of ${who} is not valid yet`,
    DEPTH_ZERO_SELF_SIGNED_CERT: t`the certificate of ${who} is self-signed`,
    SELF_SIGNED_CERT_IN_CHAIN: t`the certificate of ${who} comes from an unknown authority`,
    UNABLE_TO_VERIFY_LEAF_SIGNATURE: t`the certificate of ${who} comes from an unknown authority`,
    UNABLE_TO_GET_ISSUER_CERT_LOCALLY: t`the certificate of ${who} comes from an unknown authority`,
    ERR_TLS_CERT_ALTNAME_INVALID: t`the certificate of ${who} was issued for another name`,
  };
  return `${known[code] ?? t`no secure connection to ${who}`} (${code})`;
};

/**
 * The proxy for a host, or undefined. A service on this machine is asked through a proxy only if that runs here too:
 * any other proxy would connect to its own loopback and read the request in clear.
 */
export const proxyFor = (target: URL, env: NodeJS.ProcessEnv): URL | undefined => {
  const name = target.protocol === "https:" ? "HTTPS_PROXY" : "HTTP_PROXY";
  const given = env[name.toLowerCase()] || env[name];
  if (!given || isExcluded(target, env.no_proxy || env.NO_PROXY || "")) return undefined;
  const text = given.includes("://") ? given : `http://${given}`;
  const proxy = URL.canParse(text) ? new URL(text) : undefined;
  // The value is not repeated: it may hold a password.
  if (!proxy || !/^https?:$/.test(proxy.protocol))
    throw usageError(t`${name} is not the address of an HTTP proxy`, { todo: "http://host:port" });
  return isLoopback(target.hostname) && !isLoopback(proxy.hostname) ? undefined : proxy;
};

/** `*`, `host`, `.domain` and `domain` (with everything below), each with or without a port. */
const isExcluded = (target: URL, list: string): boolean => {
  const host = target.hostname.toLowerCase();
  const port = String(portOf(target));
  return list
    .toLowerCase()
    .split(/[\s,]+/)
    .some((entry) => {
      const [, name = "", only = port] = /^\*?\.?(.*?)(?::(\d+))?$/.exec(entry) ?? [];
      if (entry === "*") return true;
      return name !== "" && only === port && (host === name || host.endsWith(`.${name}`));
    });
};

const portOf = (url: URL): number => Number(url.port) || (url.protocol === "https:" ? 443 : 80);
