import { command } from "../../cli/command.ts";
import { listQuotaRequests } from "../../contract/account.ts";

export default command({
  endpoint: listQuotaRequests,
  columns: [
    "dateCreated",
    "handleKey",
    "requestedQuota",
    "status",
    "reasonRequested",
    "reasonRejected",
  ],
  examples: [
    "msg quota requests --sandbox",
    "msg quota requests --date-created gte:2026-01-01 --status APPROVED",
    "msg quota requests --all -o csv",
  ],
});
