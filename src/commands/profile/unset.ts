import { tool } from "../../cli/command.ts";
import {
  changeConfig,
  profileColumns,
  profileOf,
  recordOf,
  withProfile,
} from "../../config/files/profile-records.ts";
import { readKey, withoutSetting } from "../../config/files/profiles.ts";
import { list, text } from "../../contract/fields.ts";

export default tool({
  args: { key: list(text("key"), "the settings to remove") },
  columns: profileColumns,
  fields: [],
  examples: ["msg profile unset max-cost", "msg profile unset from tz -p work"],
  run: async (ctx, { args: { key } }) => {
    const name = ctx.settings.profile.value;
    const keys = key.map(readKey);
    const config = await changeConfig(ctx, (stored) =>
      withProfile(stored, name, keys.reduce(withoutSetting, profileOf(stored, name))),
    );
    return { record: recordOf(config, name) };
  },
});
