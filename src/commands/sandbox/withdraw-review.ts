import { command } from "../../cli/command.ts";
import { reviewWithdrawal } from "../../contract/sandbox.ts";

const { withdrawId, decision } = reviewWithdrawal.body.entries;

export default command({
  endpoint: reviewWithdrawal,
  args: { withdrawId, decision },
  columns: ["withdrawId", "status", "totalAmount", "fee", "memo", "dateUpdated"],
  examples: [
    "msg sandbox withdraw-review 17676036000001900450127788210611 approve",
    'msg sandbox withdraw-review 17676036000001900450127788210611 reject --memo "other holder"',
  ],
});
