import { tool } from "../../cli/command.ts";
import { profileColumns, recordOf } from "../../config/profiles.ts";

export default tool({
  mayBeNew: true,
  columns: profileColumns,
  examples: ["msg profile list", "msg profile list --json --fields name,current,baseUrl"],
  run: async (ctx) => {
    const config = await ctx.session.config.read();
    return { rows: Object.keys(config.profiles).map((name) => recordOf(config, name)) };
  },
});
