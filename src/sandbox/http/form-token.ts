/** Which writes to `/_sandbox/…` may come in: those of the sandbox's own pages, and of no page at all. */
import { randomBytes } from "node:crypto";
import { sameSecret } from "../../contract/credentials.ts";
import type { ServiceRequest } from "../router.ts";
import { Refusal } from "../service.ts";

/** The member of a form that carries the token of the pages. */
export const formTokenField = "token";
/** The header that carries it where a script sends something. */
const formTokenHeader = "x-sandbox-token";

/** New with every start: a page reads it only where it was served by this server. */
export const createFormToken = (): string => randomBytes(24).toString("base64url");

/**
 * The Refusal of a write to a control route, or undefined for one that may pass. What a browser
 * sends shows the token of a page. A client that is no browser names JSON, which no foreign form
 * can do, or sends no body. The gate has looked at Host and Origin before.
 */
export const rejectForm = (request: ServiceRequest, token: string): Refusal | undefined => {
  const { method, target, headers } = request;
  if (!target.startsWith("/_sandbox") || method === "GET" || method === "HEAD") return undefined;
  if (sameSecret(tokenOf(request), token)) return undefined;
  if (headers.origin !== undefined || headers["sec-fetch-site"] !== undefined) {
    return new Refusal(403, "Forbidden", "The form needs the token of its page: load it again.");
  }
  return hasForm(request)
    ? new Refusal(403, "Forbidden", "Send the body with content-type: application/json.")
    : undefined;
};

const tokenOf = ({ headers, body }: ServiceRequest): string => {
  const text = isUrlEncoded(headers) ? Buffer.from(body ?? []).toString() : "";
  return headers[formTokenHeader] ?? new URLSearchParams(text).get(formTokenField) ?? "";
};

const isUrlEncoded = (headers: ServiceRequest["headers"]): boolean =>
  typeOf(headers) === "application/x-www-form-urlencoded";

const hasForm = ({ headers, body = new Uint8Array() }: ServiceRequest): boolean =>
  body.length > 0 && typeOf(headers) !== "application/json";

/** The type without its parameters. */
const typeOf = (headers: ServiceRequest["headers"]): string =>
  (headers["content-type"] ?? "").split(";")[0]?.trim().toLowerCase() ?? "";
