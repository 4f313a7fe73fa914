import { id } from "../../contract/fields.ts";
import { unscheduleGroup } from "../../contract/groups.ts";
import { command } from "../command.ts";
import { groupColumns } from "./record.ts";

export default command({
  endpoint: unscheduleGroup,
  args: { groupId: id("the group, SCHEDULED") },
  columns: groupColumns,
  examples: [
    "msg group unschedule <groupId> --sandbox",
    "msg group unschedule <groupId> -q",
    "msg group list --criteria status --cond eq --value SCHEDULED",
  ],
});
