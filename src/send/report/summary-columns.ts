/** How a run that ended is shown. */
import type { Summary } from "../store/summary.ts";

export const summaryColumns = [
  "run",
  { name: "groups", value: (row: Summary) => row.groups.join(" ") },
  "total",
  "accepted",
  "refused",
  "skipped",
  "unknown",
  "cost",
  "elapsedMs",
] as const;
