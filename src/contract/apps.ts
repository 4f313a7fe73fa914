/** Apps: what an account's apps earn, and how an app may act for a user (OAuth2). */
import * as v from "valibot";
import { byOffset } from "./bounded.ts";
import { endpoint, get } from "./endpoint.ts";
import { bytes, choice, dated, id, required, secret, text, texts } from "./fields.ts";
import { anyone, appstoreRead, appstoreWrite, authenticated } from "./needs.ts";

/** Message types that an app may earn with. */
export const profitKeys = ["sms", "lms", "mms", "ata", "cta", "cti"] as const;

const profit = v.object(v.entriesFromList(profitKeys, v.number()));
export type Profit = v.InferOutput<typeof profit>;

const app = v.object({
  thumbnail: v.object({
    name: v.nullable(v.string()),
    url: v.nullable(v.string()),
    originalName: v.nullable(v.string()),
  }),
  profit,
  apphomeConfig: v.object({
    primaryColor: v.nullable(v.string()),
    secondaryColor: v.nullable(v.string()),
    sideMenu: v.boolean(),
    slogan: v.boolean(),
  }),
  appVersion: v.nullable(v.string()),
  screenshots: v.array(v.object({ name: v.string(), url: v.string() })),
  homepage: v.nullable(v.string()),
  categories: v.array(v.string()),
  intro: v.nullable(v.string()),
  description: v.nullable(v.string()),
  stage: v.string(),
  status: v.string(),
  reasonBlocked: v.nullable(v.string()),
  email: v.nullable(v.string()),
  log: v.array(v.unknown()),
  appDomain: v.nullable(v.string()),
  customDomain: v.nullable(v.string()),
  type: v.string(),
  appName: v.string(),
  accountId: v.string(),
  clientId: v.string(),
  appId: v.string(),
  ...dated,
});

/** Wall clock of Seoul, date and time separated by a space. */
const seoulTime = (description: string, bound: "from" | "until") =>
  required(
    text(description, { kind: "seoulTime", bound, flag: bound === "from" ? "since" : "until" }),
  );

const settlement = v.object({
  accountId: v.string(),
  appId: v.string(),
  appName: v.string(),
  ...dated,
});

export const listProfits = get({
  does: "List what apps earned, newest settlement first",
  path: "/appstore/v2/profits",
  needs: appstoreRead,
  page: { by: "offset", items: "completed" },
  query: {
    startDate: seoulTime("settled on or after", "from"),
    endDate: seoulTime("settled on or before", "until"),
    appId: id("only this app; its id: in the list without this flag, or in the service's console"),
    ...byOffset,
    type: text("passed on to the service; what it filters is not documented"),
  },
  reply: v.object({ expectedProfit: v.number(), completed: v.array(settlement) }),
});

export const setAppLive = endpoint({
  does: "Change the stage of an app of yours to LIVE",
  method: "PUT",
  path: "/appstore/v2/me/apps/:appId/stage",
  effect: "settling",
  needs: authenticated,
  alsoNeeds: appstoreWrite,
  body: v.object({}),
  reply: app,
});

export type App = v.InferOutput<typeof app>;

/** What the redirect address receives: as query parameters, or as JSON if that is requested. */
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
  reply: texts("memberId", "accountId", "name", "email", "status"),
});
