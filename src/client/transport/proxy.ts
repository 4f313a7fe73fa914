/** Which proxy leads to a host (HTTP_PROXY, HTTPS_PROXY, NO_PROXY). */

import { isLoopback } from "../../contract/hosts.ts";
import { usageError } from "../../errors.ts";
import { t } from "../../locale/locale.ts";

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

/** The port that is meant where none is written. */
export const portOf = (url: URL): number =>
  Number(url.port) || (url.protocol === "https:" ? 443 : 80);
