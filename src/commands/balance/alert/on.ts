import { command } from "../../../cli/command.ts";
import { switchAlert } from "../../../contract/cash.ts";
import { t } from "../../../locale/locale.ts";

export default command({
  endpoint: switchAlert,
  hiddenMembers: ["enabled"],
  columns: ["accountId", "enabled"],
  examples: [
    "msg balance alert on",
    "msg balance alert on --sandbox -y --otp-by email",
    "msg balance alert on -n",
  ],
  input: () => ({ body: { enabled: true } }),
  confirm: () => ({ question: t`Send an alert when the balance runs low?` }),
});
