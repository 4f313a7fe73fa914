import { command } from "../../../cli/command.ts";
import { clearFaults } from "../../../contract/sandbox-state.ts";

export default command({
  endpoint: clearFaults,
  columns: ["cleared"],
  examples: ["msg sandbox fault clear", "msg sandbox fault clear --fault-id 3"],
});
