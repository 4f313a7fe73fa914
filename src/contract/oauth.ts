/** OAuth2: consent, tokens, user profile. */
import * as v from "valibot";
import { endpoint, get } from "./endpoint.ts";
import { bytes, choice, id, required, secret, text } from "./fields.ts";
import { anyone } from "./needs.ts";

/** What the redirect address receives: as query parameters, or as JSON where that is asked for. */
export const codeReply = v.object({ code: v.string(), state: v.string() });

export const authorize = endpoint({
  does: "Ask the user, in a browser, to let an app act on their behalf",
  method: "GET",
  path: "/oauth2/v1/authorize",
  host: "auth",
  effect: "settling",
  needs: anyone,
  query: {
    client_id: required(id("client id of the app")),
    response_type: required(choice(["code"], "always code")),
    scope: required(text("scopes, joined by single spaces")),
    redirect_uri: required(
      text("address to return to; empty for the registered one", { mayBeEmpty: true }),
    ),
    state: required(text("random value, returned unchanged")),
    code_challenge: text("base64url of the SHA-256 of a verifier that only the client knows"),
    code_challenge_method: choice(["S256"], "always S256"),
  },
  reply: v.union([codeReply, bytes("a page or a redirect")]),
});

/** A code works once; a refresh token gives another access token each time. */
export const getAccessToken = endpoint({
  does: "Exchange a code or a refresh token for an access token",
  method: "POST",
  path: "/oauth2/v1/access_token",
  host: "auth",
  effect: "settling",
  needs: anyone,
  form: true,
  body: v.object({
    grant_type: choice(["authorization_code", "refresh_token"], "what is exchanged"),
    code: v.optional(secret("code that the redirect address received")),
    client_id: v.optional(id("client id of the app")),
    client_secret: v.optional(secret("client secret of the app")),
    redirect_uri: v.optional(text("the same as in the request for the code")),
    code_verifier: v.optional(secret("what the code challenge was made from")),
    refresh_token: v.optional(secret("refresh token that came with the access token")),
  }),
  reply: v.object({
    access_token: v.string(),
    /** Only with the very first access token. */
    refresh_token: v.optional(v.string()),
    token_type: v.optional(v.string()),
    expires_in: v.optional(v.number()),
  }),
  proof: ["access_token"],
});

export const getUserProfile = get({
  does: "Show the user that the access token belongs to",
  path: "/oauth2/v1/userprofile",
  host: "auth",
  needs: { scope: "users.profile:read", credentials: "token" },
  reply: v.object({
    memberId: v.string(),
    accountId: v.string(),
    name: v.string(),
    email: v.string(),
    status: v.string(),
  }),
});
