import { isDeepStrictEqual } from "node:util";
import { tool } from "../../cli/command.ts";
import type { Context } from "../../cli/context.ts";
import { unknownProfileError } from "../../config/choose-profile.ts";
import {
  currentOf,
  profileColumns,
  profileOf,
  readName,
  recordOf,
  withoutProfile,
} from "../../config/profiles.ts";
import { isSandboxName } from "../../config/sandbox-profiles.ts";
import { text } from "../../contract/fields.ts";
import { usageError } from "../../errors.ts";
import { t } from "../../locale/locale.ts";
import type { Result } from "../../output/view.ts";
import { changeConfig, copySecrets, removeSecrets } from "../../session/stored-credentials.ts";
import { profileResult } from "./set.ts";

export default tool({
  writes: "local",
  mayBeNew: true,
  args: { name: text("the profile"), to: text("its new name") },
  columns: profileColumns,
  examples: ["msg profile rename default work"],
  // Of two at once that give it different names, the second finds no such profile.
  run: (ctx, { args }) =>
    ctx.session.config.withLock("rename", () => rename(ctx, args.name, args.to)),
});

const rename = async (ctx: Context, name: string, newName: string): Promise<Result> => {
  const to = readName(newName);
  if (isSandboxName(to))
    throw usageError(t`profile '${to}' is built in`, { todo: t`choose another name` });
  const stored = await ctx.session.config.read();
  const isNewName = !Object.hasOwn(stored.profiles, to);
  if (!Object.hasOwn(stored.profiles, name)) {
    const { [name]: left, [to]: copy } = ctx.session.config.readCredentials().profiles;
    // A power cut ended the first rename before its last step; another secret is that of a login that was cut.
    const isCopied = left !== undefined && isDeepStrictEqual(left, copy);
    if (isNewName || !isCopied) throw unknownProfileError(name, stored);
    await removeSecrets(ctx, name);
    return profileResult(ctx, recordOf(stored, to));
  }
  if (isSandboxName(name)) throw usageError(t`profile '${name}' is built in`);
  if (!isNewName)
    throw usageError(t`profile '${to}' already exists`, {
      todo: t`choose another name, or remove it: msg profile remove ${to}`,
    });
  // Copied first and removed last: wherever this stops, the secret is under the name in use.
  await copySecrets(ctx, name, to);
  const config = await changeConfig(ctx, (now) => {
    const rest = withoutProfile(now, name);
    const current = currentOf(now) === name ? to : rest.current;
    return {
      ...rest,
      ...(current !== undefined && { current }),
      profiles: { ...rest.profiles, [to]: profileOf(now, name) },
    };
  });
  await removeSecrets(ctx, name);
  return profileResult(ctx, recordOf(config, to));
};
