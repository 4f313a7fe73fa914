/** Headers of pages, and the cookies that browsers send. */

/** Nothing from elsewhere is loaded, framed or sent to: a page must not be a way into the sandbox. */
const policy = [
  "default-src 'none'",
  "style-src 'self'",
  "script-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join("; ");

export const pageHeaders = (type: string): Record<string, string> => ({
  "content-type": type,
  "content-security-policy": policy,
  "cache-control": "no-store",
  // With no-referrer a browser would send forms with Origin: null, and they would be refused.
  "referrer-policy": "same-origin",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
});

/** The value of a cookie; empty where the browser sent none of that name. */
export const cookieOf = (name: string, header = ""): string =>
  header
    .split(";")
    .map((it) => it.trim().split("="))
    .find(([it]) => it === name)?.[1] ?? "";
