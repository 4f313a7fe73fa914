import { id } from "../../contract/fields.ts";
import { deleteGroup } from "../../contract/groups.ts";
import { command } from "../command.ts";
import { groupColumns } from "./record.ts";

export default command({
  endpoint: deleteGroup,
  args: { groupId: id("the group, PENDING or FAILED") },
  columns: groupColumns,
  examples: [
    "msg group delete <groupId> --sandbox",
    "msg group delete <groupId> -q",
    "msg group unschedule <groupId> && msg group delete <groupId>",
  ],
});
