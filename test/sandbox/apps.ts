/** An app of OAuth2, in a few lines that share no code with the client: consent, code, tokens. */

import * as v from "valibot";
import { expect } from "vitest";
import { contract } from "../../src/contract/index.ts";
import type { Door, Told } from "./doors.ts";
import { errorCodeOf, jsonOf, replyOf } from "./replies.ts";

export interface App {
  readonly id: string;
  readonly secret: string;
}

export const appOf = (n: number): App => ({
  id: `CID0SANDBOX0000${n}`,
  secret: `SANDBOXCLIENTSECRET${String(n).padStart(13, "0")}`,
});

export const redirectUri = "http://127.0.0.1:5000/callback";

/** The request for consent; members that are undefined are left out. */
export const authorizeTarget = (
  change: Readonly<Record<string, string | undefined>> = {},
): string => {
  const values = {
    client_id: appOf(1).id,
    response_type: "code",
    scope: "message:read message:write",
    redirect_uri: redirectUri,
    state: "nonce",
    ...change,
  };
  const given = new URLSearchParams();
  for (const [name, value] of Object.entries(values))
    if (value !== undefined) given.set(name, value);
  return `/oauth2/v1/authorize?${given}`;
};

/** The consent page as the browser has it. */
export const openPage = async (
  door: Door,
  change?: Readonly<Record<string, string | undefined>>,
) => {
  const told = await door.call("GET", authorizeTarget(change), { signing: null });
  expect(told.status, told.text).toBe(200);
  return {
    told,
    token: /name="token" value="([^"]+)"/.exec(told.text)?.[1] ?? "",
    cookie: told.headers["set-cookie"]?.split(";")[0] ?? "",
  };
};

export interface Decision {
  readonly decision?: "allow" | "deny";
  readonly scopes?: readonly string[];
  readonly memberId?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Ticks boxes and presses a button. */
export const decide = (
  door: Door,
  page: { readonly token: string; readonly cookie: string },
  { decision = "allow", scopes = [], memberId, headers }: Decision = {},
): Promise<Told> => {
  const form = new URLSearchParams({ token: page.token, decision });
  for (const name of scopes) form.append("scope", name);
  if (memberId !== undefined) form.set("memberId", memberId);
  return door.call("POST", "/oauth2/v1/authorize/decision", {
    signing: null,
    headers: {
      "content-type": "application/x-www-form-urlencoded",
      cookie: page.cookie,
      ...headers,
    },
    bytes: Buffer.from(form.toString()),
  });
};

/** A code for these scopes, of this member. */
export const codeFor = async (
  door: Door,
  scope: string,
  { app = appOf(1), ...more }: Decision & { readonly app?: App } = {},
): Promise<string> => {
  const page = await openPage(door, { scope, client_id: app.id });
  const told = await decide(door, page, { scopes: scope.split(" "), ...more });
  return new URL(told.headers.location ?? "", redirectUri).searchParams.get("code") ?? "";
};

/** POST access_token. */
export const exchangeFor = (
  door: Door,
  body: Readonly<Record<string, unknown>>,
  headers: Readonly<Record<string, string>> = {},
): Promise<Told> => door.call("POST", "/oauth2/v1/access_token", { signing: null, body, headers });

/** The body that exchanges a code. */
export const codeBody = (code: string, app = appOf(1)) => ({
  grant_type: "authorization_code",
  code,
  client_id: app.id,
  client_secret: app.secret,
  redirect_uri: redirectUri,
});

const tokens = v.looseObject({ access_token: v.string(), refresh_token: v.string() });
export type Tokens = v.InferOutput<typeof tokens>;

/** Tokens for these scopes, of this member. */
export const tokensFor = async (
  door: Door,
  scope: string,
  options: Decision & { readonly app?: App } = {},
): Promise<Tokens> => {
  const code = await codeFor(door, scope, options);
  const told = await exchangeFor(door, codeBody(code, options.app));
  expect(told.status, told.text).toBe(200);
  return v.parse(tokens, replyOf(contract.getAccessToken, jsonOf(told)));
};

/** A request with a token. */
export const callAs = (door: Door, token: string, method: string, target: string, body?: unknown) =>
  door.call(method, target, { signing: null, body, headers: { authorization: `bearer ${token}` } });

/** `200` or `401 Unauthorized`. */
export const verdict = (told: Told): string =>
  told.status === 200 ? "200" : `${told.status} ${errorCodeOf(jsonOf(told))}`;
