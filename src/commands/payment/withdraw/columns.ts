/** A withdrawal as tables show it. */
import type { listWithdrawals } from "../../../contract/bank.ts";
import type { Row } from "../../../contract/endpoint.ts";
import { bankText } from "../banks.ts";

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
