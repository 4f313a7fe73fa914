import { clearFaults } from "../../../contract/sandbox-faults.ts";
import { command } from "../../command.ts";

export default command({
  endpoint: clearFaults,
  profile: "sandbox",
  columns: ["cleared"],
  examples: ["msg sandbox fault clear", "msg sandbox fault clear --fault-id 3"],
});
