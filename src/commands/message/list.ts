import { listMessages } from "../../contract/messages.ts";
import { statusMeaning } from "../../message/status.ts";
import { command } from "../command.ts";

export default command({
  endpoint: listMessages,
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
    "msg message list --sandbox",
    "msg message list --since 7d --to 01000000001",
    "msg message list --type in:LMS,MMS --all -o csv",
    "msg message list --status-code 3104 --json --fields messageId,to",
  ],
});
