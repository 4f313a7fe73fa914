import { id } from "../../../contract/fields.ts";
import { showReceived } from "../../../contract/sandbox-inbox.ts";
import { command } from "../../command.ts";
import { receivedColumns } from "../columns.ts";

export default command({
  endpoint: showReceived,
  profile: "sandbox",
  args: { messageId: id("a message that was delivered") },
  columns: receivedColumns,
  examples: ["msg sandbox inbox show <messageId>", "msg sandbox inbox show <messageId> --json"],
});
