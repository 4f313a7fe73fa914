import { command } from "../../cli/command.ts";
import { listAccounts } from "../../contract/sandbox.ts";

const keyColumns = ["key", "secret", "role", "accountId", "status", "memberStatus"].map((name) => ({
  name,
  value: (row: object): unknown => Reflect.get(row, name),
}));

export default command({
  endpoint: listAccounts,
  profile: "sandbox",
  columns: keyColumns,
  examples: [
    "msg sandbox accounts",
    "msg sandbox accounts --fields key,secret",
    "msg sandbox accounts --json --fields senders",
  ],
  // JSON is the whole record; a table has one kind of row, and the keys are what people come for.
  run: async (ctx) => {
    const client = await ctx.session.client();
    const record = await client.call(listAccounts, {});
    if (ctx.view.format === "json" || ctx.view.format === "jsonl") return { record };
    return { rows: record.keys };
  },
});
