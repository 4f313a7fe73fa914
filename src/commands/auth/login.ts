import { tool } from "../../cli/command.ts";
import type { Context } from "../../cli/context.ts";
import { readText, trimLineBreak } from "../../cli/parse/input.ts";
import { isForbiddenByService } from "../../client/refusal.ts";
import type { StoredCredential } from "../../config/credentials.ts";
import { assertSecret } from "../../config/environment-credentials.ts";
import { profileOf, readName, withProfile } from "../../config/profiles.ts";
import { isSandboxName, sandboxApp } from "../../config/sandbox-profiles.ts";
import { hostOf, isLocal, readHost } from "../../config/settings.ts";
import { getBalance } from "../../contract/cash.ts";
import type { Values } from "../../contract/endpoint.ts";
import { flag, kebab, text } from "../../contract/fields.ts";
import type { KeyPair } from "../../contract/wire.ts";
import { MsgError, usageError } from "../../errors.ts";
import { t } from "../../locale/locale.ts";
import {
  accountColumns,
  accountRecord,
  changeConfig,
  saveCredentials,
} from "../../session/stored-credentials.ts";

const loginFlags = {
  apiKey: text("the API key"),
  secretStdin: flag("read the secret from standard input"),
  web: flag("log in with a browser (OAuth2) instead of an API key"),
  clientId: text("with --web: client id of the app; not needed for a sandbox on this machine"),
  clientSecretStdin: flag("read the client secret from standard input"),
  scope: text("scopes to request, separated by spaces; default: all known scopes"),
  noBrowser: flag("print the address, and paste the answer by hand"),
};

export default tool({
  writes: "local",
  exits: [7],
  mayBeNew: true,
  flags: loginFlags,
  columns: accountColumns,
  fields: ["scope", "dateExpires", "user"],
  examples: [
    "msg auth login --base-url https://api.example.com",
    "msg auth login -p work --base-url https://api.example.com --api-key KEY0000000000001",
    "msg auth login --web --base-url http://127.0.0.1:4610",
    "pass show msg | msg auth login --api-key KEY0000000000001 --secret-stdin --base-url https://api.example.com",
  ],
  run: async (ctx, { flags }) => {
    assertUsed(flags);
    const name = nameOf(ctx);
    const baseUrl = await hostFor(ctx);
    if (flags.web) return byWeb(ctx, name, baseUrl, flags);
    const apiKey = flags.apiKey ?? (await ask(ctx, t`API key:`, "--api-key"));
    assertSecret(apiKey, "--api-key");
    const apiSecret = await secretFor(ctx, flags.secretStdin === true);
    const credentials: KeyPair = { kind: "key", apiKey, apiSecret };
    await check(ctx, baseUrl, credentials);
    return { record: await keep(ctx, name, baseUrl, credentials) };
  },
});

type Flags = Values<typeof loginFlags>;

/** Throws usage for a flag of the other way to log in, which would have no effect. */
const assertUsed = (flags: Flags): void => {
  const ofKey = ["apiKey", "secretStdin"] as const;
  const ofWeb = ["clientId", "clientSecretStdin", "scope", "noBrowser"] as const;
  const unused = (flags.web ? ofKey : ofWeb).find((it) => flags[it] !== undefined);
  if (unused === undefined) return;
  const name = `--${kebab(unused)}`;
  throw usageError(flags.web ? t`${name} cannot be used with --web` : t`${name} needs --web`);
};

const byWeb = async (ctx: Context, name: string, baseUrl: string, flags: Flags) => {
  const { logInByWeb } = await import("../../session/web-login.ts");
  const authUrl = ctx.settings.authUrl.value ?? baseUrl;
  const app = await appFor(ctx, authUrl, flags);
  const { scope, noBrowser = false } = flags;
  const readAnswer = async () => (await readText(ctx, "-")).split("\n")[0] ?? "";
  const login = { baseUrl, authUrl, ...app, scope, browser: !noBrowser, readAnswer };
  const { token, user } = await logInByWeb(ctx, login);
  const kept = await keep(ctx, name, baseUrl, { kind: "token", ...token, ...app });
  const { scope: granted = null, dateExpires = null } = token;
  const record = { ...kept, scope: granted, dateExpires, user: user ?? null };
  const columns = ["profile", "host", "user.name", "user.accountId", "scope", "dateExpires"];
  return { record, columns };
};

const appFor = async (ctx: Context, authUrl: string, flags: Flags) => {
  if (flags.clientId === undefined && isLocal(authUrl)) return sandboxApp;
  const clientId = flags.clientId ?? (await ask(ctx, t`Client id:`, "--client-id"));
  assertSecret(clientId, "--client-id");
  const given = flags.clientSecretStdin === true;
  const isKnown = clientId === sandboxApp.clientId && isLocal(authUrl) && !given;
  const clientSecret = isKnown ? sandboxApp.clientSecret : await secretFor(ctx, given, "client");
  return { clientId, clientSecret };
};

const nameOf = ({ settings }: Context): string => {
  const { value, origin } = settings.profile;
  // A login with the sandbox as the current profile means an account of the service.
  if (settings.sandbox && origin === "profile") return "default";
  if (isSandboxName(value))
    throw usageError(t`profile '${value}' is built in and needs no login`, {
      todo: t`choose another profile with -p, or omit -p for 'default'`,
    });
  return readName(value);
};

const hostFor = async (ctx: Context): Promise<string> =>
  ctx.settings.baseUrl.value ??
  readHost(await ask(ctx, t`Address of the service (https://…):`, "--base-url"), "--base-url");

const ask = (ctx: Context, question: string, name: string): Promise<string> => {
  if (ctx.ask)
    return ctx.ask.text(question, {
      check: (answer) => (answer === "" ? t`a value is required` : undefined),
    });
  throw usageError(t`msg auth login needs ${name}`, {
    code: "MissingValue",
    todo: t`give --api-key, --base-url and --secret-stdin, or run it in a terminal`,
  });
};

/** The secret comes from a pipe or a hidden prompt: every user can see a command line. */
const secretFor = async (
  ctx: Context,
  fromStdin: boolean,
  of: "API" | "client" = "API",
): Promise<string> => {
  if (!fromStdin && !ctx.ask)
    throw usageError(t`msg auth login needs the secret`, {
      code: "MissingValue",
      todo: t`give it on standard input with ${of === "API" ? "--secret-stdin" : "--client-secret-stdin"}, or run it in a terminal`,
    });
  const asked =
    fromStdin && !ctx.io.stdinIsTTY
      ? undefined
      : await ctx.ask?.hidden(of === "API" ? t`API secret:` : t`Client secret:`);
  const secret = asked ?? trimLineBreak(await readText(ctx, "-"));
  assertSecret(secret, t`the secret`);
  ctx.session.redact(secret);
  return secret;
};

/** Throws if the service does not accept the key. One that the service itself forbids the balance is valid. */
const check = async (ctx: Context, baseUrl: string, credentials: KeyPair): Promise<void> => {
  const client = await ctx.session.clientAt(baseUrl, credentials);
  try {
    await client.call(getBalance, {});
  } catch (error) {
    if (!(error instanceof MsgError && isForbiddenByService(error))) throw error;
    await ctx.note(t`the API key is valid, but may not read the balance: ${error.message}`);
  }
};

/** A credential without the members that are added when it is stored. */
type Bare = KeyPair | Omit<StoredCredential & { readonly kind: "token" }, "host" | "dateStored">;

/** Stores the credentials, makes the first ones current, and returns the record to print. */
const keep = async (ctx: Context, name: string, baseUrl: string, credentials: Bare) => {
  const dateStored = ctx.clock.now().toISOString();
  const authUrl = ctx.settings.authUrl.value;
  const stored = { ...credentials, host: hostOf(baseUrl), dateStored };
  await saveCredentials(ctx, name, stored);
  const config = await changeConfig(ctx, (before) => ({
    ...withProfile(before, name, {
      ...profileOf(before, name),
      kind: credentials.kind,
      baseUrl,
      ...(authUrl !== undefined && { authUrl }),
    }),
    // The first login becomes the current profile.
    current: before.current ?? name,
  }));
  if (ctx.consent.dryRun) return accountRecord(name, stored, null);
  const file = ctx.session.config.credentialsFile();
  await ctx.note(t`the secret is stored in ${file}, readable only by you`);
  if (config.current !== name)
    await ctx.note(t`make it the current profile: msg profile use ${name}`);
  return accountRecord(name, stored, file);
};
