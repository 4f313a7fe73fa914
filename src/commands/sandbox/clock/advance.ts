import { command } from "../../../cli/command.ts";
import { duration } from "../../../contract/fields.ts";
import { moveClock } from "../../../contract/sandbox-state.ts";
import { clockColumns } from "./show.ts";

export default command({
  endpoint: moveClock,
  args: {
    advance: duration(
      "how far to move the service time, such as 10s, 5m, 2h or 1d; a minus sign moves it back",
    ),
  },
  hiddenMembers: ["set", "skew"],
  questions: {
    advance: { question: "how far to move the service time, such as 10s, 5m, 2h or 1d" },
  },
  columns: clockColumns,
  examples: [
    "msg sandbox clock advance 2s",
    "msg sandbox clock advance 1d",
    "msg sandbox clock advance -2h",
  ],
});
