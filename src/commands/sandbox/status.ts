import { command } from "../../cli/command.ts";
import { showStatus } from "../../contract/sandbox-state.ts";

/** The sandbox's settings; `business` first, so that `-q` prints the sandbox's time. */
export const statusColumns = [
  "business",
  "signing",
  "tickMs",
  "rateLimit",
  "secondFactor",
  "lenientDates",
  "groupFields",
  "seed",
  "store",
] as const;

export default command({
  endpoint: showStatus,
  columns: [
    ...statusColumns,
    { name: "requests", value: ({ load }) => load?.requests },
    { name: "perSecond", value: ({ load }) => load?.perSecond },
    { name: "p50Ms", value: ({ load }) => load?.p50Ms },
    { name: "p99Ms", value: ({ load }) => load?.p99Ms },
  ],
  examples: ["msg sandbox status", "msg sandbox status --json"],
});
