import { command } from "../../cli/command.ts";
import { listAccounts } from "../../contract/sandbox.ts";
import { columnsNamed } from "../../output/columns.ts";
import { isJson } from "../../output/fields.ts";

export default command({
  endpoint: listAccounts,
  columns: [
    // Keys and secrets are meant to be copied.
    ...columnsNamed("key", "secret").map((it) => ({ ...it, isWhole: true })),
    ...columnsNamed("role", "accountId", "status", "memberStatus"),
  ],
  examples: [
    "msg sandbox accounts",
    "msg sandbox accounts --fields key,secret",
    "msg sandbox accounts --json --fields senders",
  ],
  // JSON is the whole record; a table has one kind of row, and people need the keys.
  run: async (ctx, _input, _given, defaultRun) => {
    const { record } = await defaultRun();
    return isJson(ctx.view) ? { record } : { rows: record.keys };
  },
});
