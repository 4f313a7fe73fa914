import { changeSettings } from "../../contract/sandbox-state.ts";
import { command } from "../command.ts";
import { statusColumns } from "./columns.ts";

export default command({
  endpoint: changeSettings,
  profile: "sandbox",
  columns: statusColumns,
  examples: [
    "msg sandbox set --balance 500 --point 0",
    "msg sandbox set --sender 0212345678",
    "msg sandbox set --tick 0 --rate-limit 10",
  ],
});
