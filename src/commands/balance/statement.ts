import { command } from "../../cli/command.ts";
import { documentFlags, saveDocument } from "../../cli/save-document.ts";
import { getStatement } from "../../contract/cash.ts";
import { id } from "../../contract/fields.ts";

const names = [
  "historyId",
  "type",
  "rechargeMethod",
  "balanceAmount",
  "pointAmount",
  "dateCreated",
  "dateIssued",
] as const;

export default command({
  endpoint: getStatement,
  args: { historyId: id("the movement; msg balance history shows them") },
  flags: documentFlags("statement"),
  columns: names.map((name) => ({
    name,
    value: (row: object): unknown => Reflect.get(row, name),
  })),
  examples: [
    "msg balance statement <historyId>",
    "msg balance statement <historyId> --json",
    "msg balance statement <historyId> --out statement.json",
  ],
  run: (ctx, input, { flags }) =>
    saveDocument(ctx, flags, async () => (await ctx.session.client()).call(getStatement, input)),
});
