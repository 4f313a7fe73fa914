import { command } from "../../../cli/command.ts";
import { duration } from "../../../contract/fields.ts";
import { moveClock } from "../../../contract/sandbox-state.ts";
import { clockColumns } from "./show.ts";

/** A command that moves one of the two times by a duration. */
export const clockShift = (
  member: "advance" | "skew",
  description: string,
  question: string,
  examples: readonly string[],
) =>
  command({
    endpoint: moveClock,
    args: { [member]: duration(description) },
    hiddenMembers: Object.keys(moveClock.body.entries),
    questions: { [member]: { question } },
    columns: clockColumns,
    examples,
  });

export default clockShift(
  "advance",
  "how far to move the service time, such as 10s, 5m, 2h or 1d; a minus sign moves it back",
  "how far to move the service time, such as 10s, 5m, 2h or 1d",
  ["msg sandbox clock advance 2s", "msg sandbox clock advance 1d", "msg sandbox clock advance -2h"],
);
