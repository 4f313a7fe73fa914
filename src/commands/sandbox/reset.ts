import { command } from "../../cli/command.ts";
import { resetSandbox } from "../../contract/sandbox-state.ts";
import { statusColumns } from "./status.ts";

export default command({
  endpoint: resetSandbox,
  columns: statusColumns,
  examples: ["msg sandbox reset", "msg sandbox reset --seed 1"],
});
