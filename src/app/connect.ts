/** Chooses what answers: the service over the network, or the sandbox in this process. */

import { join } from "node:path";
import type { Client, Renew } from "../client/client.ts";
import { untyped } from "../client/codec.ts";
import { type Env, stateFolder } from "../config/paths.ts";
import { loginCommand, loginId, requireCredentials } from "../config/resolve.ts";
import type { Settings } from "../config/settings.ts";
import type { ConfigStore } from "../config/store.ts";
import type { AccessToken, Credentials, Send } from "../contract/wire.ts";
import { usageError } from "../errors.ts";
import { t } from "../locale/locale.ts";
import { type Out, printNotice } from "../output/out.ts";
import { sanitize } from "../output/text/safe.ts";
import type { View } from "../output/view.ts";
import type { Ports, SessionPort } from "../ports.ts";
import type { Consent } from "../prompt/prompt.ts";
import type { Io } from "./process.ts";

export interface ConnectOptions {
  readonly io: Io;
  readonly settings: Settings;
  readonly config: ConfigStore;
  readonly consent: Consent;
  /** Receives the trace of `--debug`, and what the operator should know. */
  readonly err: Out;
  readonly view: View;
  /** Redacts a secret from everything that is written from now on. */
  readonly redact: (secret: string) => void;
}

/** Where requests go, and as whom. */
interface Target {
  readonly sandbox: boolean;
  readonly baseUrl: string | undefined;
  readonly authUrl: string | undefined;
  readonly credentials: Credentials | undefined;
  /** The profile whose token is renewed when it has expired. */
  readonly profile?: string | undefined;
}

/** The connections of one command. */
export const connect = (options: ConnectOptions) => {
  const opened: Promise<Client>[] = [];
  let ownClient: Promise<Client> | undefined;
  const openTracked = (target: Target): Promise<Client> => {
    const client = open(options, target);
    opened.push(client);
    return client;
  };
  const clientAt: SessionPort["clientAt"] = (baseUrl, credentials, authUrl) =>
    openTracked({ sandbox: false, baseUrl, authUrl, credentials });
  return {
    client: async () => {
      ownClient ??= assertCaller(options).then(() => openTracked(targetOf(options.settings)));
      return ownClient;
    },
    clientAt,
    close: async () => {
      for (const result of await Promise.allSettled(opened))
        if (result.status === "fulfilled") await result.value.close();
    },
  };
};

/** Throws MsgError (unauthenticated) for a line whose profile was logged in anew since it was given to run. */
const assertCaller = async ({ io: { caller }, settings }: ConnectOptions): Promise<void> => {
  if (caller === undefined || caller.login === loginId(settings)) return;
  const { otherLoginError } = await import("../session/access-token.ts");
  throw otherLoginError(settings.profile.value);
};

const targetOf = (settings: Settings): Target => ({
  sandbox: settings.sandbox,
  baseUrl: settings.baseUrl.value,
  authUrl: settings.authUrl.value,
  credentials: settings.credentials.value,
  profile: settings.credentials.origin === "profile" ? settings.profile.value : undefined,
});

/** The database of the sandbox that commands share. */
export const sandboxFile = (env: Env): string => join(stateFolder(env), "sandbox", "sandbox.db");

interface Transports {
  readonly base: Send;
  readonly auth: Send;
  readonly close: () => Promise<void>;
}

/** A stored login does not count while the environment has a key. */
const loginOf = (settings: Settings): string =>
  settings.credentials.origin === "environment" && settings.credentials.value?.kind === "key"
    ? t`${loginCommand(settings)}, and unset MSG_API_KEY and MSG_API_SECRET`
    : loginCommand(settings);

const open = async (options: ConnectOptions, target: Target): Promise<Client> => {
  const { io, err, view, redact } = options;
  const { credentials } = target;
  // The sandbox's keys are public, and `msg sandbox accounts` prints them.
  if (credentials && !target.sandbox)
    redact(credentials.kind === "key" ? credentials.apiSecret : credentials.accessToken);
  const [{ createClient }, { dryRun: previewOnly }, transports] = await Promise.all([
    import("../client/index.ts"),
    import("../client/dry-run.ts"),
    target.sandbox ? sandboxTransports(options) : networkTransports(options, target),
  ]);
  const { profile } = target;
  const client: Client = createClient({
    transports,
    credentials,
    login: loginOf(options.settings),
    now: io.now,
    ticks: io.ticks,
    random: io.random,
    wait: io.wait,
    signal: io.signal,
    log: view.debug ? (line: string) => void err.write(`${sanitize(line)}\n`) : undefined,
    report: (line: string) => void printNotice(err, view, line),
    close: transports.close,
    ...(profile !== undefined &&
      credentials?.kind === "token" && {
        renew: renewer(options, profile, credentials, () => client),
      }),
  });
  return options.consent.dryRun ? previewOnly(client) : client;
};

/** Calls that find the same token expired wait for one that renews it. A failed renewal is tried again. */
const renewer =
  (
    { config, io: { now }, redact }: ConnectOptions,
    profile: string,
    { dateStored }: AccessToken,
    client: () => Client,
  ): Renew =>
  async (stale) => {
    const { renewToken } = await import("../session/access-token.ts");
    return renewToken({ config, profile, dateStored, client: client(), now, redact }, stale);
  };

const sandboxTransports = async ({ io, settings }: ConnectOptions): Promise<Transports> => {
  const { openSandbox } = await import("../sandbox/index.ts");
  const sandbox = openSandbox({
    file: sandboxFile(io.env),
    now: io.now,
    wait: io.wait,
    timeoutMs: settings.timeoutMs.value,
    checkAnswers: io.checkAnswers,
  });
  return { base: sandbox.send, auth: sandbox.send, close: async () => sandbox.close() };
};

const networkTransports = async (
  { io, settings }: ConnectOptions,
  { baseUrl, authUrl }: Target,
): Promise<Transports> => {
  if (baseUrl === undefined) {
    // A new user has neither a login nor a host: logging in is the first step.
    requireCredentials(settings);
    throw noHostError(settings);
  }
  const network = io.network ?? (await import("../client/transport/network.ts")).createNetwork;
  const { env } = io;
  const timeoutMs = settings.timeoutMs.value;
  const networkTo = (url: string) => network({ url, env, timeoutMs, wait: io.wait });
  const [base, auth] = [networkTo(baseUrl), networkTo(authUrl ?? baseUrl)];
  return {
    base: base.send,
    auth: auth.send,
    close: async () => {
      await Promise.all([base.close(), auth.close()]);
    },
  };
};

const noHostError = ({ profile }: Settings): Error =>
  usageError(t`this profile has no host`, {
    code: "NoHost",
    where: t`profile '${profile.value}'`,
    todo: t`store one: msg auth login --base-url https://…; --sandbox needs none`,
  });

/** One for each command: closed until a guard opens it; a call that finds it closed asks the guard itself. */
export const createSpendingGate = (ctx: () => Ports) => {
  const gate = { isOpen: false };
  const assertMayCall: SessionPort["assertMayCall"] = async (endpoint, input) => {
    if (!endpoint.spends || gate.isOpen) return;
    const { assertCallAllowed } = await import("../send/guards/call-spending.ts");
    await assertCallAllowed(ctx(), endpoint, input);
  };
  return {
    allowSpending: (): void => {
      gate.isOpen = true;
    },
    assertMayCall,
    guard: (client: Client): Client => ({
      ...client,
      call: async (endpoint, input, options) => {
        await assertMayCall(endpoint, untyped(input));
        return client.call(endpoint, input, options);
      },
    }),
  };
};
