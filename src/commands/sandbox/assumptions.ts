import { listAssumptions } from "../../contract/sandbox.ts";
import { command } from "../command.ts";

export default command({
  endpoint: listAssumptions,
  profile: "sandbox",
  columns: ["id", "question", "choice", "tag"],
  examples: ["msg sandbox assumptions --all", "msg sandbox assumptions --json"],
});
