import { command } from "../../cli/command.ts";
import { reviewWithdrawal } from "../../contract/sandbox.ts";

export default command({
  endpoint: reviewWithdrawal,
  args: {
    withdrawId: reviewWithdrawal.body.entries.withdrawId,
    decision: reviewWithdrawal.body.entries.decision,
  },
  columns: ["withdrawId", "status", "totalAmount", "fee", "memo", "dateUpdated"],
  examples: [
    "msg sandbox withdraw-review <withdrawId> approve",
    'msg sandbox withdraw-review <withdrawId> reject --memo "other holder"',
  ],
});
