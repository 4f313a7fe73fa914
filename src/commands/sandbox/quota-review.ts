import { command } from "../../cli/command.ts";
import { reviewQuota } from "../../contract/sandbox.ts";

const { handleKey, decision } = reviewQuota.body.entries;

export default command({
  endpoint: reviewQuota,
  args: { handleKey, decision },
  columns: ["handleKey", "status", "requestedQuota", "reasonRejected", "dateUpdated"],
  examples: [
    "msg sandbox quota-review <handleKey> approve",
    'msg sandbox quota-review <handleKey> reject --reason "the papers are missing"',
  ],
});
