import { command } from "../../cli/command.ts";
import { changeSettings } from "../../contract/sandbox-state.ts";
import { statusColumns } from "./status.ts";

export default command({
  endpoint: changeSettings,
  columns: statusColumns,
  examples: [
    "msg sandbox set --balance 500 --point 0",
    "msg sandbox set --sender 0212345678",
    "msg sandbox set --tick 0 --rate-limit 10",
  ],
});
