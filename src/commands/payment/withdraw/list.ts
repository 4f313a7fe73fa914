import { listWithdrawals } from "../../../contract/bank.ts";
import { command } from "../../command.ts";
import { withdrawalColumns } from "./columns.ts";

export default command({
  endpoint: listWithdrawals,
  columns: [...withdrawalColumns, { name: "account", value: (row) => row.accountNumber }],
  examples: [
    "msg payment withdraw list --sandbox",
    "msg payment withdraw list --status PENDING",
    "msg payment withdraw list --since 30d --all -o csv",
  ],
});
