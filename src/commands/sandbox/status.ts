import { showStatus } from "../../contract/sandbox-state.ts";
import { command } from "../command.ts";
import { statusColumns } from "./columns.ts";

export default command({
  endpoint: showStatus,
  profile: "sandbox",
  columns: [
    ...statusColumns,
    { name: "requests", value: ({ load }) => load?.requests },
    { name: "perSecond", value: ({ load }) => load?.perSecond },
    { name: "p50Ms", value: ({ load }) => load?.p50Ms },
    { name: "p99Ms", value: ({ load }) => load?.p99Ms },
  ],
  examples: ["msg sandbox status", "msg sandbox status --json"],
});
