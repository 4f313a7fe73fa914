import { command } from "../../cli/command.ts";
import { id } from "../../contract/fields.ts";
import { listGroupMessages } from "../../contract/groups.ts";
import { messageRowColumns } from "../../send/wait/message-delivery.ts";

export default command({
  endpoint: listGroupMessages,
  args: { groupId: id("the group") },
  columns: messageRowColumns,
  examples: [
    "msg group messages <groupId> --sandbox",
    "msg group messages <groupId> --all -o jsonl",
    "msg group messages <groupId> --limit 100 --fields to,statusCode",
  ],
});
