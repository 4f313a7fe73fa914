import { command } from "../../cli/command.ts";
import { required } from "../../contract/fields.ts";
import { requestQuota } from "../../contract/quota.ts";

export default command({
  endpoint: requestQuota,
  // The service lets it be left out, and then its staff cannot decide.
  flags: {
    quota: requestQuota.body.entries.quota,
    reasonRequested: required(requestQuota.body.entries.reasonRequested),
  },
  confirm: ({ body }) => ({
    question: `Ask for ${body.quota.toLocaleString("en-US")} messages a day? A request that is pending is withdrawn.`,
  }),
  columns: ["handleKey", "requestedQuota", "status", "reasonRequested", "dateCreated"],
  examples: [
    'msg quota request --amount 200000 --reason "monthly notices" --sandbox',
    'msg quota request --amount 200000 --reason "monthly notices" --file <fileId> -y',
    "msg quota request --amount 200000 --reason @reason.txt -n",
  ],
});
