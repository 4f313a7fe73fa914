/** Which names stand for this machine: what goes there crosses no line that others read. */

/** The host name of a URL; an IPv6 address in its brackets. */
export const isLoopback = (hostname: string): boolean =>
  /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/i.test(hostname);
