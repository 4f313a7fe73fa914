import { tool } from "../../cli/command.ts";
import { unknownProfileError } from "../../config/choose-profile.ts";
import { currentOf, profileColumns, recordOf, withoutProfile } from "../../config/profiles.ts";
import { text } from "../../contract/fields.ts";
import { t } from "../../locale/locale.ts";
import { confirm } from "../../prompt/prompt.ts";
import { changeConfig, removeSecrets } from "../../session/stored-credentials.ts";
import { profileResult } from "./set.ts";

export default tool({
  writes: "local",
  mayBeNew: true,
  exits: [7],
  args: { name: text("the profile") },
  columns: profileColumns,
  examples: ["msg profile remove old", "msg profile remove old -y"],
  run: async (ctx, { args: { name } }) => {
    const stored = await ctx.session.config.read();
    if (!Object.hasOwn(stored.profiles, name)) throw unknownProfileError(name, stored);
    await confirm(ctx, { question: t`Remove the profile '${name}' and its credentials?` });
    // The secret goes first: an interruption leaves a profile without one.
    await removeSecrets(ctx, name);
    const config = await changeConfig(ctx, (now) => withoutProfile(now, name));
    const next = currentOf(config);
    if (currentOf(stored) === name && Object.keys(config.profiles).length > 0)
      await ctx.note(
        Object.hasOwn(config.profiles, next)
          ? t`the current profile is now '${next}'; choose another: msg profile use <name>`
          : t`no profile is current now; choose one: msg profile use <name>`,
      );
    return profileResult(ctx, recordOf(stored, name));
  },
});
