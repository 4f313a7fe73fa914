import { command } from "../../cli/command.ts";
import { requestQuota } from "../../contract/account.ts";
import { required, unwrap } from "../../contract/fields.ts";
import { t } from "../../locale/locale.ts";
import { formatMessageCount } from "../../message/price.ts";

export default command({
  endpoint: requestQuota,
  flags: { quota: required(unwrap(requestQuota.body.entries.quota)) },
  hiddenMembers: ["requestedQuota"],
  confirm: (_ctx, { body }) => ({
    question: t`Request ${formatMessageCount(body.quota ?? 0)} a day? This withdraws a pending request.`,
  }),
  columns: ["handleKey", "requestedQuota", "status", "reasonRequested", "dateCreated"],
  examples: [
    'msg quota request --amount 200000 --reason "monthly notices" --sandbox',
    'msg quota request --amount 200000 --reason "monthly notices" --file <fileId> -y',
    "msg quota request --amount 200000 --reason @reason.txt -n",
  ],
});
