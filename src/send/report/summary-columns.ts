/** How a run that ended is shown. */
import type { Summary } from "../store/summary.ts";

export const summaryColumns = [
  { name: "run", value: (row: Summary) => row.run },
  { name: "groups", value: (row: Summary) => row.groups.join(" ") },
  { name: "total", value: (row: Summary) => row.total },
  { name: "accepted", value: (row: Summary) => row.accepted },
  { name: "refused", value: (row: Summary) => row.refused },
  { name: "skipped", value: (row: Summary) => row.skipped },
  { name: "unknown", value: (row: Summary) => row.unknown },
  { name: "cost", value: (row: Summary) => row.cost },
  { name: "elapsedMs", value: (row: Summary) => row.elapsedMs },
] as const;
