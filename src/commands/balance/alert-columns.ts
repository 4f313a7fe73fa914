/** The low-balance alert as tables show it. */

import type { getAlert } from "../../contract/cash.ts";
import type { Row } from "../../contract/endpoint.ts";

type Alert = Row<typeof getAlert>;

export const alertColumns = [
  { name: "enabled", value: (row: Alert) => row.lowBalanceAlert.enabled },
  { name: "thresholds", value: (row: Alert) => row.lowBalanceAlert.balances.join(", ") },
  { name: "channels", value: (row: Alert) => row.lowBalanceAlert.channels.join(", ") },
  "dateUpdated",
] as const;
