import { command } from "../../cli/command.ts";
import { id } from "../../contract/fields.ts";
import { readGroup } from "../../contract/groups.ts";
import { groupColumns, waitForGroup, withinFlag } from "../../send/wait/group-delivery.ts";

export default command({
  endpoint: readGroup,
  exits: [3],
  args: { groupId: id("the group") },
  flags: { within: withinFlag },
  columns: groupColumns,
  examples: [
    "msg group wait <groupId> --sandbox",
    "msg group wait <groupId> --within 10m && echo all arrived",
    "msg group wait <groupId> --json --fields count",
  ],
  run: async (ctx, { params }, { flags }) => waitForGroup(ctx, params.groupId, flags.within),
});
