import { tool } from "../../cli/command.ts";
import { profileColumns, readKey, withoutSetting } from "../../config/profiles.ts";
import { list, text } from "../../contract/fields.ts";
import { changeProfile } from "./set.ts";

export default tool({
  writes: "local",
  args: { key: list(text("key"), "settings to remove") },
  columns: profileColumns,
  examples: [
    "msg profile unset max-cost",
    "msg profile unset from tz -p work",
    "msg profile unset protected -p work",
  ],
  run: async (ctx, { args: { key } }) => {
    const keys = key.map(readKey);
    return changeProfile(ctx, (profile) => keys.reduce(withoutSetting, profile));
  },
});
