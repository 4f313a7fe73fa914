import { command } from "../../../cli/command.ts";
import { changeAlert } from "../../../contract/cash.ts";
import { required, withDescription } from "../../../contract/fields.ts";
import { t } from "../../../locale/locale.ts";
import { formatWon } from "../../../message/price.ts";

export default command({
  endpoint: changeAlert,
  hiddenMembers: ["balances", "channels"],
  flags: {
    threshold: required(
      withDescription(
        changeAlert.body.entries.balances,
        "balance below which an alert is sent; up to three of them",
      ),
    ),
    channel: required(changeAlert.body.entries.channels),
  },
  questions: { threshold: { question: "balance below which an alert is sent" } },
  columns: ["message"],
  examples: [
    "msg balance alert set --threshold 10000 --channel SMS",
    "msg balance alert set --threshold 50000 --threshold 10000 --channel SMS --channel EMAIL",
    "msg balance alert set --threshold 10000 --channel SMS --sandbox -y --otp-by email",
  ],
  input: (_ctx, { flags }) => ({
    body: { balances: [...flags.threshold], channels: [...flags.channel] },
  }),
  confirm: (_ctx, { body }) => ({
    question: t`Send an alert below ${body.balances.map(formatWon).join(", ")} by ${body.channels.join(", ")}?`,
  }),
});
