/** The rules of OAuth2: what a client may request, what the user grants, what it is exchanged for. */
import { createHash, randomBytes } from "node:crypto";
import type { authorize, getAccessToken } from "../../contract/apps.ts";
import type { Input, Reply } from "../../contract/endpoint.ts";
import { isLoopback, sameSecret } from "../../contract/wire.ts";
import { keeping, Refusal, type Service, validationError } from "../service.ts";
import type { Grant, OAuthClient } from "../store/oauth.ts";
import { signToken } from "../tokens.ts";

/** A client's request, fully checked. */
export type ConsentRequest = ReturnType<typeof readConsentRequest>;

const codeMs = 300_000;
const tokenSeconds = 86_400;

/** A text that cannot be guessed. */
export const randomToken = (bytes = 30): string => randomBytes(bytes).toString("base64url");

/** Checks client, redirect address and scopes in this order; the contract has checked what must be present. */
export const readConsentRequest = (
  query: Input<typeof authorize>["query"],
  { store, assume, strictOAuth }: Service,
) => {
  assume("oauth-checks");
  const client = store.oauth.clients.read(query.client_id);
  if (client === undefined)
    throw new Refusal(400, "InvalidClientId", `There is no client '${query.client_id}'.`);
  if (client.status !== "ACTIVE")
    throw new Refusal(400, "InactiveClient", `The client '${client.clientId}' is disabled.`);
  const redirectUri = query.redirect_uri || client.callbackUri;
  checkRedirect(redirectUri, client.callbackUri);
  checkScopes(query.scope, client);
  const challenge = query.code_challenge ?? null;
  if (strictOAuth && challenge === null)
    throw validationError("code_challenge is missing: --strict-oauth is on.");
  if ((challenge === null) !== (query.code_challenge_method === undefined))
    throw validationError("A code_challenge needs the method S256.");
  const { scope, state } = query;
  return { clientId: client.clientId, scope, redirectUri, state, challenge };
};

/** Host name as registered, port and path free; http on this machine only. */
const checkRedirect = (redirectUri: string, callbackUri: string): void => {
  const url = URL.canParse(redirectUri) ? new URL(redirectUri) : undefined;
  const isFit =
    url !== undefined &&
    url.hostname === new URL(callbackUri).hostname &&
    (url.protocol === "https:" || (url.protocol === "http:" && isLoopback(url.hostname))) &&
    url.username === "" &&
    url.password === "" &&
    !redirectUri.includes("#");
  const text = "redirect_uri must have the registered host, and neither a user nor a fragment.";
  if (!isFit) throw new Refusal(400, "InvalidHostName", text);
};

const checkScopes = (scope: string, client: OAuthClient): void => {
  const allowed = client.scopes.split(" ");
  const wrong = scope.split(" ").find((name) => !allowed.includes(name));
  if (wrong === undefined) return;
  const what =
    wrong === "" ? "Scopes are joined by single spaces." : `'${wrong}' may not be asked for.`;
  throw new Refusal(400, "InvalidScope", what);
};

/** The member for a session that chose none. */
const owner = "MEMSANDBOX0001";

/** What the user granted: the ticked scopes among the requested ones. */
export const grant = (
  request: ConsentRequest,
  granted: { readonly scope: string; readonly memberId?: string | undefined },
  { store, now: created }: Service,
): string => {
  const { memberId = owner } = granted;
  const member = store.callers.member(memberId);
  if (member === undefined) throw validationError(`There is no member '${memberId}'.`);
  const ticked = granted.scope.split(" ");
  const scopes = request.scope.split(" ").filter((name) => ticked.includes(name));
  const grantId = randomToken(12);
  const { clientId, redirectUri, challenge } = request;
  const { accountId } = member;
  const open = { scope: scopes.join(" "), refreshToken: null, revoked: 0, created };
  store.oauth.grants.insert({ grantId, clientId, accountId, memberId, ...open });
  const code = randomToken();
  store.oauth.codes.insert({ code, grantId, redirectUri, challenge, used: 0, created });
  return code;
};

type TokenBody = Input<typeof getAccessToken>["body"];
type TokenReply = Reply<typeof getAccessToken>;

/** An authorization code for tokens; the second use of a code revokes what the first one gave. */
export const exchangeCode = (body: TokenBody, service: Service): TokenReply => {
  const { codes, grants } = service.store.oauth;
  const client = clientOf(body, service);
  const code = codes.read(body.code ?? "");
  const granted = code && grants.read(code.grantId);
  if (!code || !granted || granted.clientId !== client.clientId) throw invalidGrant();
  if (code.used === 1) {
    grants.update({ grantId: granted.grantId, revoked: 1 });
    throw keeping(invalidGrant("The code was used before; what it gave is revoked."));
  }
  if (
    service.now - code.created > codeMs ||
    code.redirectUri !== (body.redirect_uri || client.callbackUri) ||
    !isVerified(code.challenge, body)
  )
    throw invalidGrant();
  codes.update({ code: code.code, used: 1 });
  const refreshToken = randomToken();
  grants.update({ grantId: granted.grantId, refreshToken });
  return { ...tokenFor(granted, service), refresh_token: refreshToken };
};

/** Credentials in the body, or in a Basic header. */
const clientOf = (body: TokenBody, { store, headers }: Service): OAuthClient => {
  const [id = body.client_id, secret = body.client_secret] = basic(headers.authorization);
  const missing = [
    id === undefined && "client_id",
    secret === undefined && "client_secret",
    body.code === undefined && "code",
    body.redirect_uri === undefined && "redirect_uri",
  ].filter((name) => name !== false);
  if (id === undefined || secret === undefined || missing.length > 0)
    throw validationError(`Missing: ${missing.join(", ")}.`);
  const client = store.oauth.clients.read(id);
  if (client && sameSecret(client.clientSecret, secret)) return client;
  throw new Refusal(400, "InvalidClient", "Client id and secret do not belong together.");
};

const basic = (header: string | undefined): (string | undefined)[] => {
  const [, coded] = /^\s*basic\s+(\S+)\s*$/i.exec(header ?? "") ?? [];
  if (coded === undefined) return [];
  const text = Buffer.from(coded, "base64").toString();
  const at = text.indexOf(":");
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)];
};

/** PKCE: needed if the code was requested with a challenge. */
const isVerified = (
  challenge: string | null,
  { code_verifier: verifier = "" }: TokenBody,
): boolean =>
  challenge === null ||
  sameSecret(challenge, createHash("sha256").update(verifier).digest("base64url"));

/** A refresh token for another access token; the refresh token stays. */
export const refresh = (body: TokenBody, service: Service): TokenReply => {
  if (body.refresh_token === undefined) throw validationError("Missing: refresh_token.");
  const granted = service.store.oauth.grants.byRefreshToken(body.refresh_token);
  if (granted && granted.revoked === 0) return tokenFor(granted, service);
  throw new Refusal(400, "InvalidRefreshToken", "The refresh token is unknown or revoked.");
};

const tokenFor = (granted: Grant, { now }: Service): TokenReply => {
  const iat = Math.floor(now / 1_000);
  const { memberId, accountId, clientId, scope, grantId } = granted;
  const times = { iat, exp: iat + tokenSeconds };
  const jti = `${grantId}.${randomToken(6)}`;
  return {
    access_token: signToken({ memberId, accountId, clientId, scope, ...times, jti }),
    token_type: "Bearer",
    expires_in: tokenSeconds,
  };
};

const invalidGrant = (
  why = "The code is unknown, expired, or not of this client and redirect_uri.",
): Refusal => new Refusal(403, "InvalidGrant", why);
