import { tool } from "../../cli/command.ts";
import type { Context } from "../../cli/context.ts";
import {
  profileColumns,
  profileOf,
  readKey,
  recordOf,
  settingKeys,
  withProfile,
  withSetting,
} from "../../config/profiles.ts";
import { isSandbox } from "../../config/sandbox-profiles.ts";
import { list, text } from "../../contract/fields.ts";
import { usageError } from "../../errors.ts";
import { t } from "../../locale/locale.ts";
import type { Result } from "../../output/view.ts";
import { changeConfig } from "../../session/stored-credentials.ts";

export default tool({
  writes: "local",
  args: { setting: list(text("key and value"), "key and value, or one or more key=value") },
  columns: profileColumns,
  examples: [
    "msg profile set from 0212345678",
    "msg profile set max-cost=50000 max-recipients=1000 -p work",
    "msg profile set protected true -p work",
  ],
  run: async (ctx, { args: { setting } }) => {
    const name = ctx.settings.profile.value;
    const pairs = pairsOf(setting);
    return changeProfile(ctx, (profile) => {
      const changed = pairs.reduce(
        (made, [key, typed]) => withSetting(made, readKey(key), typed),
        profile,
      );
      if (isSandbox(name) && (changed.baseUrl !== undefined || changed.authUrl !== undefined))
        throw usageError(t`profile '${name}' is the built-in sandbox and has no host`);
      return changed;
    });
  },
});

type Profile = ReturnType<typeof profileOf>;

export const changeProfile = async (
  ctx: Context,
  change: (profile: Profile) => Profile,
): Promise<Result> => {
  const name = ctx.settings.profile.value;
  const config = await changeConfig(ctx, (stored) =>
    withProfile(stored, name, change(profileOf(stored, name))),
  );
  return profileResult(ctx, recordOf(config, name));
};

/** A screen shows what is set; other formats keep each column in its place. */
export const profileResult = (
  { view: { format, fields } }: Context,
  record: ReturnType<typeof recordOf>,
): Result => {
  if (format !== "table" || fields !== undefined) return { record };
  return { record, columns: profileColumns.filter((name) => Object.hasOwn(record, name)) };
};

/** `key value`, or any number of `key=value`. */
const pairsOf = (words: readonly string[]): [string, string][] => {
  const [key = "", value] = words;
  if (words.length === 2 && value !== undefined && !isPair(key)) return [[key, value]];
  return words.map((word) => {
    const at = word.indexOf("=");
    if (isPair(word)) return [word.slice(0, at), word.slice(at + 1)];
    throw usageError(t`'${word}' has no value`, {
      code: "MissingValue",
      todo: t`write msg profile set <key> <value>; keys: ${settingKeys.join(", ")}`,
    });
  });
};

const isPair = (word: string): boolean => /^[A-Za-z-]+=/.test(word);
