import { command } from "../../cli/command.ts";
import { reviewTemplate } from "../../contract/sandbox.ts";
import { writtenColumns } from "../template/list.ts";

export default command({
  endpoint: reviewTemplate,
  args: {
    templateId: reviewTemplate.body.entries.templateId,
    decision: reviewTemplate.body.entries.decision,
  },
  columns: writtenColumns,
  examples: [
    "msg sandbox review <templateId> approve",
    'msg sandbox review <templateId> reject --comment "Advertising is not allowed."',
  ],
});
