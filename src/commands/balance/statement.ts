import * as v from "valibot";
import { getStatement } from "../../contract/cash.ts";
import { file, id } from "../../contract/fields.ts";
import { command } from "../command.ts";
import { document } from "./document.ts";

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
  flags: { out: v.optional(file("write the statement into this file")) },
  columns: names.map((name) => ({
    name,
    value: (row: object): unknown => Reflect.get(row, name),
  })),
  examples: [
    "msg balance statement <historyId>",
    "msg balance statement <historyId> --json",
    "msg balance statement <historyId> --out statement.json",
  ],
  run: async (ctx, input, { flags }) => {
    const client = await ctx.client();
    return document(ctx, await client.call(getStatement, input), flags.out);
  },
});
