import { command } from "../../../cli/command.ts";
import type { Row } from "../../../contract/endpoint.ts";
import { listWithdrawals } from "../../../contract/payment.ts";
import { bankText } from "../../../payments/banks.ts";

type Withdrawal = Row<typeof listWithdrawals>;

export const withdrawalColumns = [
  "withdrawId",
  "dateCreated",
  "status",
  "amount",
  "fee",
  { name: "total", value: (row: Withdrawal) => row.totalAmount },
  { name: "bank", value: (row: Withdrawal) => bankText(row.bankCode) },
] as const;

export default command({
  endpoint: listWithdrawals,
  columns: [...withdrawalColumns, { name: "account", value: (row) => row.accountNumber }],
  examples: [
    "msg payment withdraw list --sandbox",
    "msg payment withdraw list --status PENDING",
    "msg payment withdraw list --since 30d --all -o csv",
  ],
});
