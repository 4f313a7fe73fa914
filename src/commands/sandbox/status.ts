import { showStatus } from "../../contract/sandbox.ts";
import { command } from "../command.ts";
import { statusColumns } from "./columns.ts";

export default command({
  endpoint: showStatus,
  profile: "sandbox",
  columns: statusColumns,
  examples: ["msg sandbox status", "msg sandbox status --json"],
});
