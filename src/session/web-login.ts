/** Logging in with a browser: the OAuth2 code flow with PKCE. */

import { hash } from "node:crypto";
import { queryText } from "../client/codec.ts";
import { missingScope } from "../client/token.ts";
import { authorize, getUserProfile } from "../contract/apps.ts";
import { defaultScopes } from "../contract/needs.ts";
import { sameSecret } from "../contract/wire.ts";
import { MsgError, passable, usageError } from "../errors.ts";
import { t } from "../locale/locale.ts";
import type { Ports } from "../ports.ts";
import { exchangeToken, tokenEntry } from "./access-token.ts";
import { listenForRedirect, parseRedirect, type RedirectParams } from "./redirect-listener.ts";

export interface WebLogin {
  readonly baseUrl: string;
  readonly authUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Joined by spaces; the scopes that apps may use when left out. */
  readonly scope: string | undefined;
  /** False: the address is printed, and the operator pastes the redirect. */
  readonly browser: boolean;
  /** Reads the pasted redirect if there is no one to ask. */
  readonly readAnswer: () => Promise<string>;
}

const answerTimeoutMs = 300_000;
/** Nothing listens here: a person copies the address from the browser. */
const manualRedirect = "http://127.0.0.1/callback";

/**
 * Leads a person through the consent page. Returns the token, and its user unless the token may not read
 * it. Throws MsgError if they deny or do not come back.
 */
export const logInByWeb = async (ctx: Ports, login: WebLogin) => {
  const text = (bytes: number) => Buffer.from(ctx.environment.random(bytes)).toString("base64url");
  const state = text(24);
  const verifier = text(32);
  ctx.session.redact(verifier);
  const flow = { ctx, login, state, verifier };
  const { returned, redirectUri } = login.browser ? await byBrowser(flow) : await byPasting(flow);
  const code = codeIn(returned);
  ctx.session.redact(code);
  const token = tokenEntry(await exchange(flow, code, redirectUri), ctx.clock.now());
  if (token.refreshToken !== undefined) ctx.session.redact(token.refreshToken);
  await reportMissingScopes(ctx, scopeOf(login), token.scope);
  return { token, user: await profileOf(flow, token.accessToken, token.scope) };
};

const scopeOf = ({ scope }: WebLogin): string => scope ?? defaultScopes.join(" ");

/** Warns a person who left a box empty now, not at the first call that needs it. */
const reportMissingScopes = async (ctx: Ports, asked: string, granted: string | undefined) => {
  if (granted === undefined) return;
  const held = granted.split(" ");
  const lacking = asked.split(" ").filter((it) => !held.includes(it));
  if (lacking.length > 0 && !held.includes("*"))
    await ctx.note(
      t`not granted: ${lacking.join(", ")}; commands that need it will end with exit code 5`,
    );
};

interface Flow {
  readonly ctx: Ports;
  readonly login: WebLogin;
  readonly state: string;
  readonly verifier: string;
}

const addressOf = ({ login, state, verifier }: Flow, redirectUri: string): string =>
  login.authUrl +
  authorize.path +
  queryText({
    client_id: login.clientId,
    response_type: "code",
    scope: scopeOf(login),
    redirect_uri: redirectUri,
    state,
    code_challenge: hash("sha256", verifier, "base64url"),
    code_challenge_method: "S256",
  });

const byBrowser = async (flow: Flow) => {
  const { ctx, state } = flow;
  const listener = await listenForRedirect(state);
  const stop = new AbortController();
  try {
    const address = addressOf(flow, listener.address);
    await ctx.io.err.write(
      `${t`Allow it in the browser; if none opens, open this address:`}\n${address}\n`,
    );
    await ctx.io.open(address);
    const signal = AbortSignal.any([ctx.signal, stop.signal]);
    const over = () => Promise.reject(ctx.signal.aborted ? interrupted() : tooLate());
    const late = ctx.clock.wait(answerTimeoutMs, signal).then(over, over);
    const returned = await Promise.race([listener.returned, late]);
    return { returned, redirectUri: listener.address };
  } finally {
    stop.abort();
    await listener.close();
  }
};

const interrupted = (): MsgError => new MsgError("interrupted", t`interrupted: nothing was stored`);

const tooLate = (): MsgError =>
  new MsgError("unauthenticated", t`no answer came from the browser within five minutes`, {
    code: "LoginTimeout",
    todo: t`run it again; with --no-browser you can use a browser on another machine and paste the answer`,
  });

const byPasting = async (flow: Flow) => {
  const { ctx, login, state } = flow;
  await ctx.io.err.write(
    `${t`Open this address in a browser, allow it, and copy the address that it ends at:`}\n${addressOf(flow, manualRedirect)}\n`,
  );
  const pasted = ctx.ask
    ? await ctx.ask.hidden(t`Address, JSON or code that came back:`)
    : await login.readAnswer();
  const returned = parseRedirect(pasted);
  if (returned === undefined)
    throw usageError(t`the pasted text has no code`, {
      todo: t`paste the whole address that the browser ended at, the JSON, or the code alone`,
    });
  if (returned.state !== undefined && !sameSecret(returned.state, state))
    throw new MsgError("unauthenticated", t`the answer belongs to another login`, {
      code: "WrongState",
      todo: t`run it again and paste what this address leads to`,
    });
  return { returned, redirectUri: manualRedirect };
};

const codeIn = ({ code, error }: RedirectParams): string => {
  if (code !== undefined) return code;
  const isDenied = error === "access_denied";
  throw new MsgError(
    "stopped",
    isDenied ? t`access was denied in the browser` : t`the service gave no code`,
    {
      code: isDenied ? "AccessDenied" : (error ?? "NoCode"),
      todo: t`nothing was stored; run it again`,
    },
  );
};

const exchange = async ({ ctx, login, verifier }: Flow, code: string, redirectUri: string) => {
  const client = await ctx.session.clientAt(login.baseUrl, undefined, login.authUrl);
  const body = {
    grant_type: "authorization_code",
    code,
    client_id: login.clientId,
    client_secret: login.clientSecret,
    redirect_uri: redirectUri,
    code_verifier: verifier,
  } as const;
  return exchangeToken(client, body, t`no access token came: nothing was stored`, (error) =>
    error.reworded("unauthenticated", error.message, {
      todo: t`check client id and secret, and run it again: a code works once, within five minutes`,
    }),
  );
};

/** The token is valid even if its profile is not in its scope or cannot be read now. */
const profileOf = async ({ ctx, login }: Flow, accessToken: string, scope: string | undefined) => {
  if (scope !== undefined && missingScope(getUserProfile, scope.split(" "))) return undefined;
  const credentials = { kind: "token", accessToken } as const;
  const client = await ctx.session.clientAt(login.baseUrl, credentials, login.authUrl);
  try {
    return await client.call(getUserProfile, {});
  } catch (error) {
    await ctx.note(t`the user could not be read: ${passable(error).message}`);
    return undefined;
  }
};
