import { command } from "../../../cli/command.ts";
import { switchAlert } from "../../../contract/cash.ts";
import { t } from "../../../locale/locale.ts";

export default command({
  endpoint: switchAlert,
  hiddenMembers: ["enabled"],
  columns: ["accountId", "enabled"],
  examples: [
    "msg balance alert off",
    "msg balance alert off --sandbox -y --otp-by email",
    "msg balance alert off -n",
  ],
  input: () => ({ body: { enabled: false } }),
  confirm: () => ({ question: t`Send no more alerts when the balance runs low?` }),
});
