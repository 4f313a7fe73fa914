import { command } from "../../../cli/command.ts";
import { duration } from "../../../contract/fields.ts";
import { moveClock } from "../../../contract/sandbox-state.ts";
import { clockColumns } from "./show.ts";

export default command({
  endpoint: moveClock,
  args: {
    skew: duration("how far the signature clock is ahead of real time, such as 15m; 0: not at all"),
  },
  hiddenMembers: ["set", "advance"],
  questions: {
    skew: { question: "how far the signature clock is ahead of real time, such as 15m" },
  },
  columns: clockColumns,
  examples: [
    "msg sandbox clock skew 15m",
    "msg sandbox clock skew -20m",
    "msg sandbox clock skew 0",
  ],
});
