import { command } from "../../../cli/command.ts";
import { showClock } from "../../../contract/sandbox-state.ts";

export const clockColumns = ["business", "signing", "clockOffsetMs", "signingSkewMs"] as const;

export default command({
  endpoint: showClock,
  columns: clockColumns,
  examples: ["msg sandbox clock show", "msg sandbox clock show --json"],
});
