import { listFaults } from "../../../contract/sandbox-faults.ts";
import { command } from "../../command.ts";
import { faultColumns } from "../columns.ts";

export default command({
  endpoint: listFaults,
  profile: "sandbox",
  columns: faultColumns,
  examples: ["msg sandbox fault list", "msg sandbox fault list --json"],
});
