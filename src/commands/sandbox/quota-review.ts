import { command } from "../../cli/command.ts";
import { reviewQuota } from "../../contract/sandbox.ts";

export default command({
  endpoint: reviewQuota,
  args: {
    handleKey: reviewQuota.body.entries.handleKey,
    decision: reviewQuota.body.entries.decision,
  },
  columns: ["handleKey", "status", "requestedQuota", "reasonRejected", "dateUpdated"],
  examples: [
    "msg sandbox quota-review <handleKey> approve",
    'msg sandbox quota-review <handleKey> reject --reason "the papers are missing"',
  ],
});
