import { command } from "../../cli/command.ts";
import { choice, id } from "../../contract/fields.ts";
import { reviewWithdrawal } from "../../contract/sandbox.ts";

export default command({
  endpoint: reviewWithdrawal,
  args: {
    withdrawId: id("withdrawal id"),
    decision: choice(["approve", "reject"], "the decision"),
  },
  columns: ["withdrawId", "status", "totalAmount", "fee", "memo", "dateUpdated"],
  examples: [
    "msg sandbox withdraw-review 17676036000001900450127788210611 approve",
    'msg sandbox withdraw-review 17676036000001900450127788210611 reject --memo "other holder"',
  ],
});
