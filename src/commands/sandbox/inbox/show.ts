import { command } from "../../../cli/command.ts";
import { id } from "../../../contract/fields.ts";
import { showReceived } from "../../../contract/sandbox.ts";

export const receivedColumns = [
  "messageId",
  "dateReceived",
  "to",
  "from",
  "type",
  "subject",
  "text",
  "imageId",
] as const;

export default command({
  endpoint: showReceived,
  args: { messageId: id("id of a delivered message") },
  columns: receivedColumns,
  examples: ["msg sandbox inbox show <messageId>", "msg sandbox inbox show <messageId> --json"],
});
