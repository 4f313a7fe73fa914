import { command } from "../../cli/command.ts";
import { documentFlags, saveDocument } from "../../cli/save-document.ts";
import { getStatement } from "../../contract/cash.ts";
import { id } from "../../contract/fields.ts";
import { columnsNamed } from "../../output/columns.ts";

export default command({
  endpoint: getStatement,
  args: { historyId: id("id of the movement; list: msg balance history") },
  flags: documentFlags("write the statement to this file"),
  columns: columnsNamed(
    "historyId",
    "type",
    "rechargeMethod",
    "balanceAmount",
    "pointAmount",
    "dateCreated",
    "dateIssued",
  ),
  examples: [
    "msg balance statement <historyId>",
    "msg balance statement <historyId> --json",
    "msg balance statement <historyId> --out statement.json",
  ],
  run: (ctx, _input, { flags }, issue) => saveDocument(ctx, flags, issue),
});
