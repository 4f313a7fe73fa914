import { command } from "../../cli/command.ts";
import { getAlert } from "../../contract/cash.ts";

export default command({
  endpoint: getAlert,
  columns: [
    { name: "enabled", value: (row) => row.lowBalanceAlert.enabled },
    { name: "thresholds", value: (row) => row.lowBalanceAlert.balances.join(", ") },
    { name: "channels", value: (row) => row.lowBalanceAlert.channels.join(", ") },
    "dateUpdated",
  ],
  examples: [
    "msg balance alert --sandbox",
    "msg balance alert --json",
    "msg balance alert --fields thresholds",
  ],
});
