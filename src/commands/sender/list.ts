import { tool } from "../../cli/command.ts";
import { listSenders } from "../../contract/account.ts";

export default tool({
  additionalEndpoints: [listSenders],
  columns: ["phoneNumber", "status", "method", "expireAt"],
  fields: ["handleKey", "dateCreated", "dateUpdated"],
  examples: [
    "msg sender list --sandbox",
    "msg sender list --json",
    "msg sender list --fields phoneNumber --no-header",
  ],
  run: async (ctx) => {
    const client = await ctx.session.client();
    return { rows: (await client.call(listSenders, {})).senderIds };
  },
});
