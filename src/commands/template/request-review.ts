import { command } from "../../cli/command.ts";
import { id } from "../../contract/fields.ts";
import { requestReview } from "../../contract/kakao.ts";
import { writtenColumns } from "./list.ts";

export default command({
  endpoint: requestReview,
  args: { templateId: id("the template") },
  columns: writtenColumns,
  examples: [
    "msg template request-review <templateId>",
    "msg template request-review <templateId> --json --fields codes",
  ],
});
