/** config.json: the profiles of this user, the current one, and how a profile is printed. */
import * as v from "valibot";
import { didYouMean, invalidValue, usageError } from "../errors.ts";
import { languages, t } from "../locale/locale.ts";
import { parseFile } from "./parse-file.ts";
import { approvals, readers } from "./settings.ts";

const Profile = v.strictObject({
  /** How it is logged in: an API key, or a token of the OAuth2 flow. */
  kind: v.optional(v.picklist(["key", "token"])),
  baseUrl: v.optional(v.string()),
  authUrl: v.optional(v.string()),
  /** Default sender number, digits. */
  from: v.optional(v.string()),
  /** Won that one command may spend. */
  maxCost: v.optional(v.number()),
  maxRecipients: v.optional(v.number()),
  /** Every command that sends or pays needs `--confirm` with its number of messages, or its amount. */
  protected: v.optional(v.boolean()),
  /** Rows and won above which a send without a prompt needs consent. */
  confirmRows: v.optional(v.number()),
  confirmCost: v.optional(v.number()),
  /** Whether another person must approve what send-many sends, and above which figure. */
  approval: v.optional(v.picklist(approvals)),
  approvalAbove: v.optional(v.string()),
  /** Name → public key of those who may approve. */
  approvers: v.optional(v.record(v.string(), v.string())),
  tz: v.optional(v.string()),
  lang: v.optional(v.picklist(languages)),
  output: v.optional(v.string()),
});

const ConfigFile = v.strictObject({
  version: v.literal(1),
  current: v.optional(v.string()),
  profiles: v.record(v.string(), Profile),
});

export type Profile = v.InferOutput<typeof Profile>;
export type Config = v.InferOutput<typeof ConfigFile>;

export const emptyConfig: Config = { version: 1, profiles: {} };

export type SettingKey = keyof typeof readers;
const isKey = (key: string): key is SettingKey => Object.hasOwn(readers, key);

export const settingKeys = Object.keys(readers).filter(isKey);

/** The key that was typed, in camelCase or kebab-case. Throws usage with the list. */
export const readKey = (typed: string): SettingKey => {
  const key = typed.replace(/-([a-z])/g, (_all, letter: string) => letter.toUpperCase());
  if (isKey(key)) return key;
  throw usageError(t`there is no setting '${typed}'${didYouMean(key, settingKeys)}`, {
    code: "UnknownSetting",
    todo: t`settings of a profile: ${settingKeys.join(", ")}`,
  });
};

/** A profile with one more setting, read strictly. */
export const withSetting = (profile: Profile, key: SettingKey, typed: string): Profile => ({
  ...profile,
  [key]: readers[key](typed, key),
});

export const withoutSetting = (profile: Profile, key: SettingKey): Profile => {
  const { [key]: _gone, ...rest } = profile;
  return rest;
};

/**
 * Reads the text of config.json. Throws MsgError (usage) that names the file and the place, also
 * for an unknown member: a misspelled guard must not be silently without effect.
 */
export const parseConfig = (text: string, file: string): Config => {
  const config = parseFile(ConfigFile, text, file, t`set the profiles again`);
  for (const [name, profile] of Object.entries(config.profiles)) checkProfile(name, profile, file);
  return config;
};

/** Reads values edited by hand as strictly as those of `profile set`. */
const checkProfile = (name: string, profile: Profile, file: string): void => {
  for (const key of settingKeys) {
    const value = profile[key];
    if (value !== undefined) readers[key](String(value), `${file}: profiles.${name}.${key}`);
  }
};

/** The stored spelling of a profile's name. Throws usage. */
export const readName = (typed: string): string => {
  if (/^[\p{L}\p{N}][\p{L}\p{N}._@-]{0,63}$/u.test(typed) && !forbidden.includes(typed))
    return typed;
  throw invalidValue(
    t`'${typed}' is not a valid profile name`,
    t`use up to 64 letters, digits, dots, dashes and underscores; begin with a letter or a digit`,
  );
};

/** Names that mean something else in an object of JavaScript. */
const forbidden = ["constructor", "prototype"];

const { approvers: _, ...shown } = Profile.entries;

/** All columns but the approvers, who are listed separately. */
export const profileColumns: readonly string[] = ["name", "current", ...Object.keys(shown)];

/** What is stored under a name; a built-in profile may have nothing stored. */
export const recordOf = (config: Config, name: string) => ({
  name,
  current: currentOf(config) === name,
  ...profileOf(config, name),
});

export const profileOf = (config: Config, name: string): Profile =>
  (Object.hasOwn(config.profiles, name) ? config.profiles[name] : undefined) ?? {};

/** If none is set, the profile named `default` is the current one. */
export const currentOf = (config: Config): string => config.current ?? "default";

/** The settings with another profile under that name. */
export const withProfile = (config: Config, name: string, profile: Profile): Config => ({
  ...config,
  profiles: { ...config.profiles, [name]: profile },
});

/** The settings without that profile, which is then not the current one either. */
export const withoutProfile = (config: Config, name: string): Config => {
  const { current, ...rest } = config;
  const { [name]: _gone, ...profiles } = config.profiles;
  return { ...rest, ...(current !== undefined && current !== name && { current }), profiles };
};
