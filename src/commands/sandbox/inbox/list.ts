import { command } from "../../../cli/command.ts";
import { listInbox } from "../../../contract/sandbox.ts";

export default command({
  endpoint: listInbox,
  columns: ["dateReceived", "to", "from", "type", "text", "messageId"],
  examples: [
    "msg sandbox inbox list",
    "msg sandbox inbox list --to 01000000001",
    "msg sandbox inbox list --all -o jsonl",
  ],
});
