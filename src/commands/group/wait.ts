import { command } from "../../cli/command.ts";
import { duration, id } from "../../contract/fields.ts";
import { readGroup } from "../../contract/groups.ts";
import { groupColumns, waitForGroup } from "../../send/wait/delivery.ts";

export default command({
  endpoint: readGroup,
  exits: [3],
  args: { groupId: id("the group") },
  flags: { within: duration("how long to wait, such as 30s or 5m; default: 60s") },
  columns: groupColumns,
  examples: [
    "msg group wait <groupId> --sandbox",
    "msg group wait <groupId> --within 10m && echo all arrived",
    "msg group wait <groupId> --json --fields count",
  ],
  run: async (ctx, { params }, { flags }) => waitForGroup(ctx, params.groupId, flags.within),
});
