/** Which forms are accepted: small ones, of a page of this server, that carry its token. */
import type { IncomingHttpHeaders } from "node:http";
import { sameSecret } from "../../contract/credentials.ts";
import { formTokenField } from "../http/form-token.ts";
import { labels } from "./labels.ts";
import type { Label } from "./page.ts";

export interface FormRefusal {
  readonly status: number;
  readonly why: Label;
}

/**
 * The fields of a form. A browser names the origin of every form that it sends; the gate has compared
 * one that is there, so that here only its absence is left to refuse.
 */
export const readForm = (
  body: Uint8Array | undefined | "too large" | "broken",
  headers: IncomingHttpHeaders,
  token: string,
): { readonly fields: URLSearchParams } | FormRefusal => {
  if (body === "too large") return { status: 413, why: labels.tooLarge };
  const isForm = /^application\/x-www-form-urlencoded\s*(;|$)/i.test(headers["content-type"] ?? "");
  if (!isForm || !(body instanceof Uint8Array)) return { status: 415, why: labels.noForm };
  const fields = new URLSearchParams(Buffer.from(body).toString("utf8"));
  const isOurs =
    headers.origin === `http://${headers.host}` &&
    sameSecret(fields.get(formTokenField) ?? "", token);
  return isOurs ? { fields } : { status: 403, why: labels.stale };
};
