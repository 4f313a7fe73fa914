import { tool } from "../../cli/command.ts";
import { unknownProfileError } from "../../config/choose-profile.ts";
import { profileColumns, recordOf } from "../../config/profiles.ts";
import { isSandbox } from "../../config/sandbox-profiles.ts";
import { text } from "../../contract/fields.ts";
import { t } from "../../locale/locale.ts";
import { changeConfig } from "../../session/stored-credentials.ts";
import { profileResult } from "./set.ts";

export default tool({
  writes: "local",
  mayBeNew: true,
  args: { name: text("your profile, or sandbox") },
  columns: profileColumns,
  examples: ["msg profile use work", "msg profile use sandbox"],
  run: async (ctx, { args: { name } }) => {
    const config = await changeConfig(ctx, (stored) => {
      if (!Object.hasOwn(stored.profiles, name) && !isSandbox(name))
        throw unknownProfileError(name, stored);
      return { ...stored, current: name };
    });
    if (ctx.settings.profile.origin === "environment")
      await ctx.note(t`MSG_PROFILE is set and overrides it: '${ctx.settings.profile.value}'`);
    return profileResult(ctx, recordOf(config, name));
  },
});
