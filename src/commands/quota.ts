import { command } from "../cli/command.ts";
import { getQuota } from "../contract/account.ts";
import { readUsedToday } from "../send/guards/account.ts";

export default command({
  endpoint: getQuota,
  columns: [
    "quota",
    { name: "usedToday", value: (row) => ("usedToday" in row ? row.usedToday : null) },
    "dateUpdated",
  ],
  examples: ["msg quota --sandbox", "msg quota --json --fields quota,usedToday"],
  // The service has no figure for it: it is computed from statistics, and null if those may not be read.
  run: async (ctx, _input, _given, defaultRun) => {
    const { record } = await defaultRun();
    return { record: { ...record, usedToday: (await readUsedToday(ctx)) ?? null } };
  },
});
