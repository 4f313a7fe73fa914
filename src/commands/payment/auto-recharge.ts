import { command } from "../../cli/command.ts";
import { getBalance } from "../../contract/cash.ts";

export default command({
  endpoint: getBalance,
  columns: [
    { name: "autoRecharge", value: (row) => ["off", "on"][row.autoRecharge] },
    "minimumCash",
    "rechargeTo",
    "rechargeTryCount",
  ],
  examples: [
    "msg payment auto-recharge --sandbox",
    "msg payment auto-recharge --json --fields autoRecharge,minimumCash,rechargeTo",
    "msg payment auto-recharge set --below 3000 --to 50000",
  ],
});
