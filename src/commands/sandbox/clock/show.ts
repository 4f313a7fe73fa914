import { showClock } from "../../../contract/sandbox-state.ts";
import { command } from "../../command.ts";
import { clockColumns } from "../columns.ts";

export default command({
  endpoint: showClock,
  profile: "sandbox",
  columns: clockColumns,
  examples: ["msg sandbox clock show", "msg sandbox clock show --json"],
});
