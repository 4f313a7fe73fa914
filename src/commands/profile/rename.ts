import { tool } from "../../cli/command.ts";
import { isSandboxName, unknownProfileError } from "../../config/choose-profile.ts";
import {
  currentOf,
  profileColumns,
  profileOf,
  readName,
  recordOf,
  withoutProfile,
} from "../../config/profiles.ts";
import { changeConfig } from "../../config/store.ts";
import { text } from "../../contract/fields.ts";
import { usageError } from "../../errors.ts";
import { t } from "../../locale/locale.ts";
import { moveKey } from "../../send/plan-file/approval.ts";
import { saveCredentials } from "../../session/stored-credentials.ts";

export default tool({
  mayBeNew: true,
  args: { name: text("the profile"), to: text("its new name") },
  columns: profileColumns,
  examples: ["msg profile rename default work"],
  run: async (ctx, { args }) => {
    const to = readName(args.to);
    if (isSandboxName(to))
      throw usageError(t`profile '${to}' is built in`, { todo: t`choose another name` });
    const stored = await ctx.session.config.read();
    if (!Object.hasOwn(stored.profiles, args.name)) throw unknownProfileError(args.name, stored);
    if (isSandboxName(args.name)) throw usageError(t`profile '${args.name}' is built in`);
    if (Object.hasOwn(stored.profiles, to))
      throw usageError(t`profile '${to}' already exists`, {
        todo: t`choose another name, or remove it: msg profile remove ${to}`,
      });
    // Copied first and removed last: wherever this stops, the secret is under the name in use.
    const credential = ctx.session.config.readCredentials().profiles[args.name];
    await saveCredentials(ctx, to, credential);
    const config = await changeConfig(ctx, (now) => {
      const rest = withoutProfile(now, args.name);
      const current = currentOf(now) === args.name ? to : rest.current;
      return {
        ...rest,
        ...(current !== undefined && { current }),
        profiles: { ...rest.profiles, [to]: profileOf(now, args.name) },
      };
    });
    await saveCredentials(ctx, args.name, undefined);
    await moveKey(ctx, args.name, to);
    return { record: recordOf(config, to) };
  },
});
