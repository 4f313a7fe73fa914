import { getAlert } from "../../contract/cash.ts";
import { command } from "../command.ts";
import { alertColumns } from "./alert-columns.ts";

export default command({
  endpoint: getAlert,
  columns: alertColumns,
  examples: [
    "msg balance alert --sandbox",
    "msg balance alert --json",
    "msg balance alert --fields thresholds",
  ],
});
