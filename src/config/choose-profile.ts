/** The profile of a command line: named by a flag, the command, the environment or the settings. */

import { didYouMean, exclusive, usageError } from "../errors.ts";
import { t } from "../locale/locale.ts";
import { hasCredentials } from "./environment-credentials.ts";
import type { Env } from "./paths.ts";
import { type Config, profileOf } from "./profiles.ts";
import { isSandbox, sandboxProfiles } from "./sandbox-profiles.ts";
import type { Origin, Resolved, SettingFlags } from "./settings.ts";

export interface ProfileChoice {
  readonly flags: SettingFlags;
  readonly env: Env;
  /** The profile that a command uses when the line names none. */
  readonly defaultProfile?: string | undefined;
  /** The command creates it, or does not use it: an unknown name is not a mistake. */
  readonly mayBeNew?: boolean | undefined;
}

export type ChosenProfile = ReturnType<typeof chooseProfile>;

/** Throws MsgError (usage) for an unknown name and for flags that exclude each other. */
export const chooseProfile = (config: Config, choosing: ProfileChoice) => {
  const { flags, mayBeNew } = choosing;
  const profile = findName(config, choosing);
  const name = profile.value;
  const sandbox = isSandbox(name);
  if (sandbox) rejectHosts(flags, profile.from);
  const isKnown = Object.hasOwn(config.profiles, name) || sandbox || !named.has(profile.origin);
  if (!isKnown && !mayBeNew) throw unknownProfileError(name, config, profile.from);
  /** What is stored under that name. */
  const stored = profileOf(config, name);
  return { profile, sandbox, stored };
};

/** Origins that may be mistyped. */
const named: ReadonlySet<Origin> = new Set(["flag", "environment", "profile"]);

/** The error for an unknown name; `from` says where the name came from. */
export const unknownProfileError = (name: string, config: Config, from?: string): Error => {
  if (isSandbox(name))
    return usageError(t`profile '${name}' is built in; nothing is stored for it`);
  const own = Object.keys(config.profiles).filter((it) => !isSandbox(it));
  const sandboxes = name.startsWith("sandbox") ? sandboxProfiles : ["sandbox"];
  const list = own.length === 0 ? t`none stored` : own.join(", ");
  return usageError(t`there is no profile '${name}'${didYouMean(name, [...own, ...sandboxes])}`, {
    code: "UnknownProfile",
    where: sourceOf(from),
    todo: t`profiles: ${list}; built in: ${sandboxes.join(", ")}; create one: msg auth login -p <name>`,
  });
};

/** Undefined for a flag: it stands on the line. */
const sourceOf = (from = "flag") => (from.startsWith("flag") ? undefined : t`named by ${from}`);

const findName = (config: Config, choosing: ProfileChoice): Resolved<string> => {
  const { flags, env, defaultProfile } = choosing;
  if (flags.sandbox && flags.profile !== undefined)
    throw exclusive(
      "--sandbox",
      "--profile",
      t`use one of them; --sandbox is the same as -p sandbox`,
    );
  if (flags.sandbox) return { value: "sandbox", from: "flag --sandbox", origin: "flag" };
  if (flags.profile !== undefined)
    return { value: flags.profile, from: "flag --profile", origin: "flag" };
  if (defaultProfile !== undefined && flags["base-url"] === undefined) {
    const isUsual = findName(config, { flags, env }).value === defaultProfile;
    return { value: defaultProfile, from: "default", origin: isUsual ? "default" : "command" };
  }
  if (env.MSG_PROFILE)
    return { value: env.MSG_PROFILE, from: "MSG_PROFILE", origin: "environment" };
  const { current } = config;
  if (current !== undefined && !(isSandbox(current) && namesAccount(flags, env)))
    return { value: current, from: "config.json", origin: "profile" };
  return { value: "default", from: "default", origin: "default" };
};

/** An account named on the line or in the environment overrides a current sandbox profile. */
const namesAccount = (flags: SettingFlags, env: Env): boolean =>
  flags["base-url"] !== undefined || Boolean(env.MSG_BASE_URL) || hasCredentials(env);

const rejectHosts = (flags: SettingFlags, from: string): void => {
  const flag = flags["base-url"] !== undefined ? "--base-url" : "--auth-url";
  if (flags["base-url"] === undefined && flags["auth-url"] === undefined) return;
  throw usageError(t`the sandbox in this process and ${flag} exclude each other`, {
    where: sourceOf(from),
    todo: t`for a sandbox that is served over HTTP use -p with a profile of its address`,
  });
};
