import { listAccounts } from "../../contract/sandbox.ts";
import { command } from "../command.ts";

export default command({
  endpoint: listAccounts,
  profile: "sandbox",
  columns: ["accounts", "keys", "oauthClients", "senders", "channels", "templates", "apps"],
  examples: ["msg sandbox accounts", "msg sandbox accounts --json"],
  // JSON is the whole record; a table has one kind of row, and the keys are what people come for.
  run: async (ctx) => {
    const client = await ctx.client();
    const record = await client.call(listAccounts, {});
    if (ctx.view.format === "json" || ctx.view.format === "jsonl") return { record };
    return {
      rows: record.keys,
      columns: ["key", "secret", "role", "accountId", "status", "memberStatus"],
    };
  },
});
