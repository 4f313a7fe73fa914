import { command } from "../../../cli/command.ts";
import { addFault } from "../../../contract/sandbox-state.ts";
import { faultColumns } from "./list.ts";

export default command({
  endpoint: addFault,
  columns: faultColumns,
  examples: [
    'msg sandbox fault add --on "POST /messages/v4/*" --do drop-after --times 1',
    'msg sandbox fault add --on "GET *" --do status:503 --probability 0.2',
    'msg sandbox fault add --on "*" --do delay:2s',
  ],
});
