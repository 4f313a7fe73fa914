import { resetSandbox } from "../../contract/sandbox-state.ts";
import { command } from "../command.ts";
import { statusColumns } from "./columns.ts";

export default command({
  endpoint: resetSandbox,
  profile: "sandbox",
  columns: statusColumns,
  examples: ["msg sandbox reset", "msg sandbox reset --seed 1"],
});
