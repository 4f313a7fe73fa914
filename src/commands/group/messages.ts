import { id } from "../../contract/fields.ts";
import { listGroupMessages } from "../../contract/groups.ts";
import { statusMeaning } from "../../message/status.ts";
import { command } from "../command.ts";

export default command({
  endpoint: listGroupMessages,
  args: { groupId: id("the group") },
  columns: [
    "dateCreated",
    "messageId",
    "to",
    "from",
    "type",
    "statusCode",
    { name: "meaning", value: (row) => statusMeaning(row.statusCode) },
  ],
  examples: [
    "msg group messages <groupId> --sandbox",
    "msg group messages <groupId> --all -o jsonl",
    "msg group messages <groupId> --limit 100 --fields to,statusCode",
  ],
});
