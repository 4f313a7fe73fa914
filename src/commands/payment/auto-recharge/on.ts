import { command } from "../../../cli/command.ts";
import { getBalance } from "../../../contract/cash.ts";
import { listPayments, toggleRecharge } from "../../../contract/payment.ts";
import { setRecharge } from "../../../payments/toggle-recharge.ts";

export default command({
  endpoint: toggleRecharge,
  additionalEndpoints: [getBalance, listPayments],
  columns: ["autoRecharge"],
  examples: [
    "msg payment auto-recharge on",
    "msg payment auto-recharge on -y --otp-by email",
    "msg payment auto-recharge on -n",
  ],
  run: (ctx) => setRecharge(ctx, true),
});
