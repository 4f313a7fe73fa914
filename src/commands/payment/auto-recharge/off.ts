import { command } from "../../../cli/command.ts";
import { getBalance } from "../../../contract/cash.ts";
import { toggleRecharge } from "../../../contract/payment.ts";
import { setRecharge } from "../../../payments/toggle-recharge.ts";

export default command({
  endpoint: toggleRecharge,
  additionalEndpoints: [getBalance],
  columns: ["autoRecharge"],
  examples: [
    "msg payment auto-recharge off",
    "msg payment auto-recharge off -y --otp-by email",
    "msg payment auto-recharge off -n",
  ],
  run: (ctx) => setRecharge(ctx, false),
});
