/** Which requests may come in over HTTP at all: a web page must not drive a sandbox. */
import { mediaType } from "../checks/validate.ts";
import { Refusal, type ServiceRequest } from "../service.ts";

/** Names of this machine; anything else may be a foreign name that points here. */
const loopbackNames = ["127.0.0.1", "localhost", "[::1]"];

/** Header lines of one request. */
const maxHeaders = 100;

/**
 * The Refusal of a request, or undefined for one that may pass. `rawHeaders` alternates names and values as they came.
 * `Host` is checked first, on every path and method: a page behind a rebound name sends no Origin. Control routes and
 * pages then ask for their own origin.
 */
export const rejectHead = (
  { target, rawHeaders }: { readonly target: string; readonly rawHeaders: readonly string[] },
  port: number,
): Refusal | undefined => {
  const values = (wanted: string): string[] =>
    rawHeaders.filter((_, at) => at % 2 === 1 && rawHeaders[at - 1]?.toLowerCase() === wanted);
  if (rawHeaders.length > 2 * maxHeaders) {
    return new Refusal(431, "ValidationError", `More than ${maxHeaders} headers.`);
  }
  const hosts = values("host");
  const [host = ""] = hosts;
  if (hosts.length !== 1 || host === "" || !target.startsWith("/")) {
    return new Refusal(400, "ValidationError", "One Host header and a path are needed.");
  }
  if (!isOwn(host.toLowerCase(), port)) {
    return new Refusal(421, "MisdirectedRequest", `The sandbox does not answer for '${host}'.`);
  }
  const isControl = target.startsWith("/_sandbox") || target.startsWith("/oauth2/v1/authorize/");
  if (!isControl && !target.startsWith("/oauth2/v1/authorize")) return undefined;
  const origins = values("origin");
  // Other sites may link to the consent page: that is its purpose.
  const sites = isControl ? values("sec-fetch-site") : [];
  const isForeign =
    origins.some((origin) => origin !== `http://${host}`) ||
    sites.some((site) => site !== "same-origin" && site !== "none");
  return isForeign
    ? new Refusal(403, "Forbidden", "Control routes answer pages of the sandbox only.")
    : undefined;
};

const isOwn = (host: string, port: number): boolean =>
  loopbackNames.some((name) => host === `${name}:${port}` || (port === 80 && host === name));

/**
 * The Refusal of a write to a control route, or undefined for one that may pass. Browsers write by the
 * forms of pages. Any other client declares JSON, which no foreign form can do, or sends no body.
 */
export const rejectForm = (request: ServiceRequest): Refusal | undefined => {
  const { method, target, headers, body } = request;
  if (!target.startsWith("/_sandbox") || method === "GET" || method === "HEAD") return undefined;
  if (headers.origin !== undefined || headers["sec-fetch-site"] !== undefined)
    return new Refusal(403, "Forbidden", "In a browser, use the forms of the pages.");
  return body?.length && mediaType(headers["content-type"]) !== "application/json"
    ? new Refusal(403, "Forbidden", "Send the body with content-type: application/json.")
    : undefined;
};
