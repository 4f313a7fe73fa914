import { command } from "../../../cli/command.ts";
import { listFaults } from "../../../contract/sandbox-state.ts";

export const faultColumns = [
  "faultId",
  "on",
  "do",
  "timesLeft",
  "probability",
  "happened",
] as const;

export default command({
  endpoint: listFaults,
  columns: faultColumns,
  examples: ["msg sandbox fault list", "msg sandbox fault list --json"],
});
