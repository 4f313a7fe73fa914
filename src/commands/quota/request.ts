import { command } from "../../cli/command.ts";
import { required, unwrap } from "../../contract/fields.ts";
import { requestQuota } from "../../contract/quota.ts";

export default command({
  endpoint: requestQuota,
  flags: { quota: required(unwrap(requestQuota.body.entries.quota)) },
  hiddenMembers: ["requestedQuota"],
  confirm: ({ body }) => ({
    question: `Ask for ${body.quota?.toLocaleString("en-US")} messages a day? A request that is pending is withdrawn.`,
  }),
  columns: ["handleKey", "requestedQuota", "status", "reasonRequested", "dateCreated"],
  examples: [
    'msg quota request --amount 200000 --reason "monthly notices" --sandbox',
    'msg quota request --amount 200000 --reason "monthly notices" --file <fileId> -y',
    "msg quota request --amount 200000 --reason @reason.txt -n",
  ],
});
