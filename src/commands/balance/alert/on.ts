import { command } from "../../../cli/command.ts";
import { switchAlert } from "../../../contract/cash.ts";
import { t } from "../../../locale/locale.ts";

export const alertSwitch = (word: "on" | "off") =>
  command({
    endpoint: switchAlert,
    hiddenMembers: ["enabled"],
    columns: ["accountId", "enabled"],
    examples: [
      `msg balance alert ${word}`,
      `msg balance alert ${word} --sandbox -y --otp-by email`,
      `msg balance alert ${word} -n`,
    ],
    input: () => ({ body: { enabled: word === "on" } }),
    confirm: (_ctx, { body }) => ({
      question: body.enabled
        ? t`Send an alert when the balance runs low?`
        : t`Send no more alerts when the balance runs low?`,
    }),
  });

export default alertSwitch("on");
