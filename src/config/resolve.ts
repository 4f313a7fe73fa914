/** The settings of one command: flag > environment > profile > default, each with its origin. */

import type { Credentials } from "../contract/wire.ts";
import { diskFiles, quietly } from "../durable/files.ts";
import { MsgError, usageError } from "../errors.ts";
import { t } from "../locale/locale.ts";
import { type ChosenProfile, chooseProfile, type ProfileChoice } from "./choose-profile.ts";
import { environmentCredentials } from "./environment-credentials.ts";
import type { Env } from "./paths.ts";
import { emptyConfig, type SettingKey } from "./profiles.ts";
import { sandboxKey } from "./sandbox-profiles.ts";
import {
  hostOf,
  type Origin,
  type Reader,
  type Resolved,
  readers,
  readHost,
  readSwitch,
  readTimeout,
  type SettingFlags,
  type Settings,
} from "./settings.ts";
import type { ConfigStore } from "./store.ts";

export interface ResolveOptions extends ProfileChoice {
  readonly config: ConfigStore;
  /** Settings that cannot be read count as none. */
  readonly mayBeBroken?: boolean | undefined;
}

/**
 * Reads every value from the first place that has it. Throws MsgError (usage). Credentials are read when
 * `credentials` is, which throws the same: a command that needs none works with a broken credentials file.
 */
export const resolveSettings = async (resolving: ResolveOptions): Promise<Settings> => {
  const chosen = await resolving.config.read().then(
    (config) => chooseProfile(config, resolving),
    (error) => {
      if (!resolving.mayBeBroken) throw error;
      return chooseProfile(emptyConfig, { ...resolving, mayBeNew: true });
    },
  );
  const { flag, variable, stored } = placesOf(resolving, chosen);
  const host = (...named: readonly Place[]) => first(readHost, chosen.sandbox ? [] : named);
  const baseUrl = host(flag("base-url"), variable("MSG_BASE_URL"), stored("baseUrl"));
  const authUrl = host(flag("auth-url"), variable("MSG_AUTH_URL"), stored("authUrl"));
  const zone = first(readers.tz, [flag("tz"), variable("MSG_TZ"), stored("tz")]);
  const timeZone = memoize(() => withMachineZone(zone, resolving.env));
  const credentials = memoize(() => credentialsOf(resolving, chosen, { baseUrl, authUrl }));
  return {
    profile: chosen.profile,
    sandbox: chosen.sandbox,
    baseUrl,
    authUrl,
    get credentials() {
      return credentials();
    },
    get timeZone() {
      return timeZone();
    },
    output: first(readers.output, [flag("output"), variable("MSG_OUTPUT"), stored("output")]),
    language: first(readers.lang, [flag("lang"), variable("MSG_LANG"), stored("lang")]),
    from: first(readers.from, [variable("MSG_FROM"), stored("from")]),
    timeoutMs: first(readTimeout, [flag("timeout"), variable("MSG_TIMEOUT")]),
    noInput: first(readSwitch, [flag("no-input"), variable("MSG_NO_INPUT")], false),
    maxCost: first(readers.maxCost, [stored("maxCost")]),
    maxRecipients: first(readers.maxRecipients, [stored("maxRecipients")]),
    protected: first(readers.protected, [stored("protected")], false),
    ...approvalOf(chosen, stored),
    confirmRows: first(readers.confirmRows, [stored("confirmRows")], 1_000),
    confirmCost: first(readers.confirmCost, [stored("confirmCost")], 100_000),
  };
};

/** Only a profile sets the approval of sends: no flag and no variable can override it. */
const approvalOf = (
  { profile, stored: { approvers = {} } }: ChosenProfile,
  stored: (key: SettingKey) => Place,
): Pick<Settings, "approval" | "approvalAbove" | "approvers"> => ({
  approval: first(readers.approval, [stored("approval")], "off"),
  approvalAbove: first(readers.approvalAbove, [stored("approvalAbove")], "0rows"),
  approvers: { value: approvers, from: `profile ${profile.value}`, origin: "profile" },
});

/** The command that logs this caller in; it names the profile unless that is the default anyway. */
export const loginCommand = ({ profile, sandbox }: Settings): string =>
  (profile.origin === "flag" || profile.origin === "command") && !sandbox
    ? `msg auth login -p ${profile.value}`
    : "msg auth login";

/** The credentials. Throws MsgError: unauthenticated (exit 4) if there are none. */
export const requireCredentials = (settings: Settings): Credentials => {
  const { value } = settings.credentials;
  if (value) return value;
  throw new MsgError("unauthenticated", t`profile '${settings.profile.value}' is not logged in`, {
    todo: t`log in: ${loginCommand(settings)}; --sandbox needs no account`,
  });
};

/** What stays the same as long as a login is used: a token is renewed. Undefined if nobody is logged in. */
export const loginId = ({ credentials: { value } }: Settings): string | undefined =>
  value?.kind === "key" ? value.apiKey : value?.dateStored;

/** One place that may hold a value, and what was found there. */
interface Place {
  readonly origin: Origin;
  readonly from: string;
  /** How an error names it. */
  readonly label: string;
  readonly typed: string | undefined;
}

const placesOf = ({ env, flags }: ResolveOptions, { profile, stored }: ChosenProfile) => ({
  flag: (name: keyof SettingFlags): Place => ({
    origin: "flag",
    from: `flag --${name}`,
    label: `--${name}`,
    typed: flags[name] === undefined ? undefined : String(flags[name]),
  }),
  variable: (name: string): Place => ({
    origin: "environment",
    from: name,
    label: name,
    // An empty variable counts as unset.
    typed: env[name] || undefined,
  }),
  stored: (key: SettingKey): Place => ({
    origin: "profile",
    from: `profile ${profile.value}`,
    label: t`${key} of profile '${profile.value}'`,
    typed: stored[key] === undefined ? undefined : String(stored[key]),
  }),
});

function first<T>(reader: Reader<T>, places: readonly Place[], fallback: T): Resolved<T>;
function first<T>(reader: Reader<T>, places: readonly Place[]): Resolved<T | undefined>;
function first<T>(
  reader: Reader<T>,
  places: readonly Place[],
  fallback?: T,
): Resolved<T | undefined> {
  for (const { origin, from, label, typed } of places)
    if (typed !== undefined) return { value: reader(typed, label), from, origin };
  return { value: fallback, from: "default", origin: "default" };
}

/** The machine's zone if none is named; asked late, because the answer takes ten milliseconds. */
const withMachineZone = (zone: Resolved<string | undefined>, env: Env): Resolved<string> => ({
  ...zone,
  value: zone.value ?? machineZone(env),
});

/**
 * Intl knows no name for a path (`:/etc/localtime`) or an offset from UTC (`KST-9`), and for an empty `TZ` one that
 * it refuses itself: then the path names the zone, or today's offset does.
 */
const machineZone = ({ TZ = "" }: Env): string => {
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
  return [zoneAt(TZ.replace(/^:/, "")), timeZone].find(isZone) ?? zoneByDistance();
};

/** `Europe/Berlin` from a path into the zone data. */
const zoneAt = (path: string): string | undefined => {
  if (!path.startsWith("/")) return undefined;
  return quietly(() => /\/zoneinfo\/(.+)$/.exec(diskFiles.real(path))?.[1]);
};

const isZone = (name: string | undefined): name is string => {
  // Newer Nodes say +05:00 for GMT+5, which is five hours behind UTC.
  if (name === undefined || /^[+-]/.test(name)) return false;
  return quietly(() => new Intl.DateTimeFormat("en", { timeZone: name })) !== undefined;
};

/** These zones are named by the hours that they are behind UTC: nine hours ahead is `Etc/GMT-9`. */
const zoneByDistance = (): string => {
  const parts = new Intl.DateTimeFormat("en", { timeZoneName: "longOffset" }).formatToParts();
  const distance = parts.find(({ type }) => type === "timeZoneName")?.value ?? "";
  const [, sign, hours] = /^GMT([+-])0?([1-9]\d?):00$/.exec(distance) ?? [];
  return hours === undefined ? "UTC" : `Etc/GMT${sign === "+" ? "-" : "+"}${hours}`;
};

const credentialsOf = (
  { env, config }: ResolveOptions,
  { profile, sandbox, stored }: ChosenProfile,
  { baseUrl: { value: baseUrl }, authUrl }: Pick<Settings, "baseUrl" | "authUrl">,
): Resolved<Credentials | undefined> => {
  const name = profile.value;
  if (sandbox) return { value: sandboxKey(name), from: "built in", origin: "default" };
  const outer = environmentCredentials(env);
  if (outer && baseUrl === undefined)
    throw usageError(t`${outer.from} is set, but there is no host to use it with`, {
      code: "NoHost",
      todo: t`set MSG_BASE_URL, or add --base-url <url>`,
    });
  if (outer) return outer;
  const profiles = config.readCredentials().profiles;
  const entry = Object.hasOwn(profiles, name) ? profiles[name] : undefined;
  if (!entry) return { value: undefined, from: "default", origin: "default" };
  checkHost(name, entry.host, baseUrl);
  const authHost = stored.authUrl === undefined ? entry.host : hostOf(stored.authUrl);
  if (entry.kind === "token") checkAuthHost(name, authHost, authUrl);
  const value: Credentials =
    entry.kind === "key"
      ? { kind: "key", apiKey: entry.apiKey, apiSecret: entry.apiSecret }
      : { kind: "token", accessToken: entry.accessToken, dateStored: entry.dateStored };
  return { value, from: `profile ${name}`, origin: "profile" };
};

/** A secret goes only to the host that it was stored for. */
const checkHost = (name: string, host: string, baseUrl: string | undefined): void => {
  if (baseUrl === undefined)
    throw usageError(t`profile '${name}' has no host`, {
      code: "NoHost",
      todo: `msg profile set base-url https://${host} -p ${name}`,
    });
  if (hostOf(baseUrl) !== host) throw otherHostError(name, host, "--base-url", baseUrl);
};

/**
 * The same for tokens, which also go to the OAuth2 host: the profile's own, or its only one. A flag
 * names another on purpose; a variable may have been set for another account.
 */
const checkAuthHost = (name: string, host: string, authUrl: Settings["authUrl"]): void => {
  const { value, origin } = authUrl;
  if (value !== undefined && origin === "environment" && hostOf(value) !== host)
    throw otherHostError(name, host, "--auth-url", value);
};

const otherHostError = (name: string, host: string, flag: string, url: string): Error =>
  usageError(t`the secret of profile '${name}' was stored for ${host}, not for ${hostOf(url)}`, {
    code: "OtherHost",
    todo: t`log in there under another name: msg auth login -p <name> ${flag} ${url}`,
  });

/** Keeps the first result; a failure is not kept. */
const memoize = <T>(make: () => T): (() => T) => {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
};
