import { listRequests } from "../../contract/sandbox.ts";
import { command } from "../command.ts";

export default command({
  endpoint: listRequests,
  profile: "sandbox",
  columns: ["time", "apiKey", "method", "path", "status", "verdict", "why"],
  examples: [
    "msg sandbox requests",
    "msg sandbox requests --limit 100 --json",
    "msg sandbox requests -p sandbox --fields time,path,why",
  ],
});
