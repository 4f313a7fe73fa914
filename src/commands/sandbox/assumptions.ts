import { command } from "../../cli/command.ts";
import { listAssumptions } from "../../contract/sandbox.ts";

export default command({
  endpoint: listAssumptions,
  columns: ["id", "question", "choice", "tag"],
  examples: ["msg sandbox assumptions --all", "msg sandbox assumptions --json"],
});
