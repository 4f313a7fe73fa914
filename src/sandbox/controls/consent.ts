/** The answer to a consent page, and how that page looks. */

import { sameSecret } from "../../contract/credentials.ts";
import { cookieOf } from "../http/headers.ts";
import style from "../pages/assets/consent.css";
import { consentMs, sessionCookie } from "../pages/consent.ts";
import { type ConsentRequest, grant } from "../rules/grants.ts";
import { Refusal, type Service } from "../service.ts";
import type { ControlHandler } from "./admin-context.ts";

/** Sends the browser back with a code, or with the user's no. */
export const decideConsent: ControlHandler<"decideConsent"> = ({ body }, service) => {
  const asked = takeAsked(body.token, service);
  if (body.decision === "deny") return back(asked, { error: "access_denied" }, service);
  const { scope = "", memberId = "MEMSANDBOX0001" } = body;
  const code = grant(asked, { scope, memberId }, service);
  const accept = service.headers.accept ?? "";
  if (accept.includes("application/json") && !accept.includes("text/html"))
    return { code, state: asked.state };
  return back(asked, { code }, service);
};

/** The question that the token belongs to; only the browser that saw it may answer, once. */
const takeAsked = (token: string, { store, headers, now }: Service): ConsentRequest => {
  const consent = store.oauth.takeConsent(token);
  const isOpen = consent !== undefined && now.getTime() - consent.created < consentMs;
  if (isOpen && sameSecret(consent.session, cookieOf(sessionCookie, headers.cookie)))
    return JSON.parse(consent.request);
  const text = "This page was answered before, is too old, or is not yours.";
  throw new Refusal(403, "Forbidden", text, { keep: true });
};

const back = (
  { redirectUri, state }: ConsentRequest,
  values: Readonly<Record<string, string>>,
  { respondWith }: Service,
): Uint8Array<ArrayBuffer> => {
  const query = new URLSearchParams({ ...values, state });
  // As it came it may hold what no header can: letters of Hangul, or an end of line.
  const { href } = new URL(redirectUri);
  const location = `${href}${href.includes("?") ? "&" : "?"}${query}`;
  respondWith({
    status: 302,
    headers: { location, "cache-control": "no-store", "referrer-policy": "no-referrer" },
  });
  return new Uint8Array();
};

export const consentStyle: ControlHandler<"consentStyle"> = (_input, { respondWith }) => {
  respondWith({
    status: 200,
    headers: { "content-type": "text/css; charset=utf-8", "x-content-type-options": "nosniff" },
  });
  return Buffer.from(style);
};
