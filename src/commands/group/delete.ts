import { command } from "../../cli/command.ts";
import { id } from "../../contract/fields.ts";
import { deleteGroup } from "../../contract/groups.ts";
import { groupColumns } from "../../send/wait/group-delivery.ts";

export default command({
  endpoint: deleteGroup,
  args: { groupId: id("group id; the group must be PENDING or FAILED") },
  columns: groupColumns,
  examples: [
    "msg group delete <groupId> --sandbox",
    "msg group delete <groupId> -q",
    "msg group unschedule <groupId> && msg group delete <groupId>",
  ],
});
