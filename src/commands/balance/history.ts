import { command } from "../../cli/command.ts";
import { listHistory } from "../../contract/cash.ts";

export default command({
  endpoint: listHistory,
  columns: [
    "dateCreated",
    "type",
    { name: "amount", value: (row) => row.balanceAmount },
    { name: "point", value: (row) => row.pointAmount },
    { name: "balanceAfter", value: (row) => row.newBalance },
    { name: "method", value: (row) => row.rechargeMethod ?? row.serviceMethod },
    "groupId",
    "memo",
    "historyId",
  ],
  examples: [
    "msg balance history --sandbox",
    "msg balance history --since 7d --balance-recharge",
    "msg balance history --group-id <groupId> --json",
    "msg balance history --since 2026-01-01 --until 2026-01-31 --all -o csv",
  ],
});
