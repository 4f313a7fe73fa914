/** Which proxy leads to a host (HTTP_PROXY, HTTPS_PROXY, NO_PROXY), and the tunnel through it. */
import type { Socket } from "node:net";
import { isLoopback } from "../contract/loopback.ts";
import { Broken } from "../contract/wire.ts";
import { usage } from "../errors.ts";
import { portOf } from "./address.ts";

export type Env = Readonly<Record<string, string | undefined>>;

/**
 * The proxy for a host, or undefined. This machine is asked through a proxy only where that runs on
 * this machine too: any other would look for its own loopback, and read the request in clear.
 */
export const proxyFor = (target: URL, env: Env): URL | undefined => {
  const name = target.protocol === "https:" ? "HTTPS_PROXY" : "HTTP_PROXY";
  const given = env[name.toLowerCase()] || env[name];
  if (!given || isExcluded(target, env.no_proxy || env.NO_PROXY || "")) return undefined;
  const text = given.includes("://") ? given : `http://${given}`;
  const proxy = URL.canParse(text) ? new URL(text) : undefined;
  // The value is not repeated: it may hold a password.
  if (!proxy || !/^https?:$/.test(proxy.protocol))
    throw usage(`${name} is no address of an HTTP proxy`, { todo: "http://host:port" });
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

/** Characters of a proxy's answer that are read. */
const longestHead = 16_384;

/** Asks a proxy on an open connection to lead on to the target. Rejects with `Broken`. */
export const tunnel = async (socket: Socket, proxy: URL, target: URL): Promise<void> => {
  const failed = (code: string, what: string): Broken =>
    new Broken("unconnected", code, `the proxy ${proxy.host} ${what}`);
  socket.write(connectRequest(proxy, target));
  const head = await readHead(socket).catch((error: Error) => {
    throw failed("ProxyFailed", `did not answer (${error.message})`);
  });
  const [, status = ""] = /^HTTP\/1\.[01] (\d{3})/.exec(head) ?? [];
  if (!status.startsWith("2")) throw failed(`ProxyAnswered${status}`, refusal(status, target));
};

/** The first lines of an answer, up to the empty one; what comes after them is put back. */
const readHead = (socket: Socket): Promise<string> =>
  new Promise((resolve, reject) => {
    let head = Buffer.alloc(0);
    const read = (chunk: Buffer): void => {
      head = Buffer.concat([head, chunk]);
      const length = head.indexOf("\r\n\r\n") + 4;
      if (length < 4 && head.length > longestHead) reject(new Error("too long an answer"));
      if (length < 4) return;
      socket.off("data", read).pause();
      if (head.length > length) socket.unshift(head.subarray(length));
      resolve(head.toString("latin1", 0, length));
    };
    socket.on("data", read).once("error", reject);
    socket.once("close", () => reject(new Error("it closed the line")));
    socket.once("timeout", () => reject(new Error("time is up")));
  });

const refusal = (status: string, target: URL): string =>
  status === "407"
    ? "asks for a user name and password (407)"
    : `did not lead on to ${target.host} (answered ${status || "nothing readable"})`;

/** A % that begins no code stands for itself, as people write it into a variable. */
const plain = (encoded: string): string => {
  try {
    return decodeURIComponent(encoded);
  } catch {
    return encoded;
  }
};

const connectRequest = (proxy: URL, target: URL): string => {
  const authority = `${target.hostname}:${portOf(target)}`;
  const lines = [`CONNECT ${authority} HTTP/1.1`, `host: ${authority}`];
  if (proxy.username !== "") {
    const user = `${plain(proxy.username)}:${plain(proxy.password)}`;
    lines.push(`proxy-authorization: Basic ${Buffer.from(user).toString("base64")}`);
  }
  return `${lines.join("\r\n")}\r\n\r\n`;
};
