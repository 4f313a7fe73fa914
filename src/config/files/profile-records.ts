/** A profile as it is printed, and how the profiles are changed. */
import { t } from "../../locale/locale.ts";
import type { Config, Profile } from "./profiles.ts";
import type { ConfigStore } from "./store.ts";

/** What a change of the settings needs. */
interface Changing {
  readonly session: { readonly config: ConfigStore };
  readonly consent: { readonly dryRun: boolean };
  readonly note: (line: string) => Promise<void>;
}

export interface ProfileRecord extends Profile {
  readonly name: string;
  readonly current: boolean;
}

export const profileColumns = [
  "name",
  "current",
  "kind",
  "baseUrl",
  "authUrl",
  "from",
  "maxCost",
  "maxRecipients",
  "protected",
  "confirmRows",
  "confirmCost",
  "approval",
  "approvalAbove",
  "tz",
  "output",
] as const;

/** What is stored under a name; a profile that is built in may have nothing stored. */
export const recordOf = (config: Config, name: string): ProfileRecord => ({
  name,
  current: currentOf(config) === name,
  ...profileOf(config, name),
});

export const profileOf = (config: Config, name: string): Profile =>
  (Object.hasOwn(config.profiles, name) ? config.profiles[name] : undefined) ?? {};

/** Without a word about it the profile named `default` is the current one. */
export const currentOf = (config: Config): string => config.current ?? "default";

/** The settings with another profile under that name. */
export const withProfile = (config: Config, name: string, profile: Profile): Config => ({
  ...config,
  profiles: { ...config.profiles, [name]: profile },
});

/** The settings without that profile, which is then not the current one either. */
export const withoutProfile = (config: Config, name: string): Config => {
  const { current, ...rest } = config;
  const profiles = Object.fromEntries(
    Object.entries(config.profiles).filter(([other]) => other !== name),
  );
  return { ...rest, ...(current !== undefined && current !== name && { current }), profiles };
};

/** Changes the settings, or shows with --dry-run what they would become. */
export const changeConfig = async (
  ctx: Changing,
  change: (config: Config) => Config,
): Promise<Config> => {
  if (!ctx.consent.dryRun) return ctx.session.config.update(change);
  const changed = change(await ctx.session.config.read());
  await ctx.note(t`dry run: nothing was changed`);
  return changed;
};
