import { command } from "../../cli/command.ts";
import { getAlert } from "../../contract/cash.ts";
import type { Row } from "../../contract/endpoint.ts";

type Alert = Row<typeof getAlert>;

const alertColumns = [
  { name: "enabled", value: (row: Alert) => row.lowBalanceAlert.enabled },
  { name: "thresholds", value: (row: Alert) => row.lowBalanceAlert.balances.join(", ") },
  { name: "channels", value: (row: Alert) => row.lowBalanceAlert.channels.join(", ") },
  "dateUpdated",
] as const;

export default command({
  endpoint: getAlert,
  columns: alertColumns,
  examples: [
    "msg balance alert --sandbox",
    "msg balance alert --json",
    "msg balance alert --fields thresholds",
  ],
});
