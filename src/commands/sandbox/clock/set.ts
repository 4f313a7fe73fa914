import { command } from "../../../cli/command.ts";
import { date } from "../../../contract/fields.ts";
import { moveClock } from "../../../contract/sandbox-state.ts";
import { clockColumns } from "./show.ts";

export default command({
  endpoint: moveClock,
  args: { set: date("new service time; it runs on from there") },
  hiddenMembers: ["advance", "skew"],
  columns: clockColumns,
  examples: ["msg sandbox clock set 2026-01-05T09:00:00Z", "msg sandbox clock set now"],
});
