import { command } from "../../cli/command.ts";
import { listGroups } from "../../contract/groups.ts";
import { groupColumns } from "../../send/wait/group-delivery.ts";

export default command({
  endpoint: listGroups,
  columns: groupColumns,
  examples: [
    "msg group list --sandbox",
    "msg group list --since 7d --all -o csv",
    "msg group list --criteria status --cond eq --value SCHEDULED",
    "msg group list --json --fields groupId,count.total",
  ],
});
