/** The consent page of the sandbox: what the service has as its own pages. */
import * as v from "valibot";
import { endpoint } from "./endpoint.ts";
import { bytes, choice, id, text } from "./fields.ts";
import { anyone } from "./needs.ts";
import { codeReply } from "./oauth.ts";

/** Posted by the consent page; the answer is a redirect, or JSON where that is asked for. */
export const decideConsent = endpoint({
  does: "Allow or deny what an app asks for",
  method: "POST",
  path: "/oauth2/v1/authorize/decision",
  host: "auth",
  effect: "settling",
  needs: anyone,
  form: true,
  body: v.object({
    token: text("one-time token of the page"),
    decision: choice(["allow", "deny"], "what the user says"),
    scope: v.optional(text("scopes that are granted, joined by spaces")),
    memberId: v.optional(id("who is signed in; the owner of the first account when left out")),
  }),
  reply: v.union([codeReply, bytes("nothing but a redirect")]),
});

export const consentStyle = endpoint({
  does: "Show how the consent page is styled",
  method: "GET",
  path: "/oauth2/v1/authorize/style.css",
  host: "auth",
  effect: "safe",
  needs: anyone,
  reply: bytes("style sheet"),
});
