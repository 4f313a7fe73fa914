import { command } from "../../cli/command.ts";
import { choice, id } from "../../contract/fields.ts";
import { reviewQuota } from "../../contract/sandbox.ts";

export default command({
  endpoint: reviewQuota,
  args: {
    handleKey: id("the request"),
    decision: choice(["approve", "reject"], "the reviewers' decision"),
  },
  columns: ["handleKey", "status", "requestedQuota", "reasonRejected", "dateUpdated"],
  examples: [
    "msg sandbox quota-review <handleKey> approve",
    'msg sandbox quota-review <handleKey> reject --reason "the papers are missing"',
  ],
});
