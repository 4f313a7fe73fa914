import { command } from "../../cli/command.ts";
import { listCodes } from "../../contract/sandbox.ts";

export default command({
  endpoint: listCodes,
  columns: ["code", "kind", "destination", "transactionId", "dateSent"],
  examples: [
    "msg sandbox codes",
    "msg sandbox codes --limit 1 --fields code",
    "msg sandbox codes --all --json",
  ],
});
