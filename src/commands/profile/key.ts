import { tool } from "../../cli/command.ts";
import { ownKey } from "../../send/plan-file/approval.ts";

export default tool({
  writes: "local",
  columns: ["key", "profile"],
  examples: [
    "msg profile key",
    "msg profile key -p work --json",
    "msg profile key --fields key -o tsv --no-header",
  ],
  run: async (ctx) => {
    const { key } = await ownKey(ctx);
    return { record: { key, profile: ctx.settings.profile.value } };
  },
});
