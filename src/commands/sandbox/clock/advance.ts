import { text } from "../../../contract/fields.ts";
import { moveClock } from "../../../contract/sandbox-state.ts";
import { command } from "../../command.ts";
import { clockColumns } from "../columns.ts";

export default command({
  endpoint: moveClock,
  profile: "sandbox",
  args: { advance: text("how far to move business time: 10s, 5m, 2h, 1d") },
  hide: ["set", "skew"],
  columns: clockColumns,
  examples: ["msg sandbox clock advance 2s", "msg sandbox clock advance 1d"],
});
