import { command } from "../../cli/command.ts";
import { id } from "../../contract/fields.ts";
import { unscheduleGroup } from "../../contract/groups.ts";
import { groupColumns } from "../../send/wait/group-delivery.ts";

export default command({
  endpoint: unscheduleGroup,
  args: { groupId: id("group id; the group must be SCHEDULED") },
  columns: groupColumns,
  examples: [
    "msg group unschedule <groupId> --sandbox",
    "msg group unschedule <groupId> -q",
    "msg group list --criteria status --cond eq --value SCHEDULED",
  ],
});
