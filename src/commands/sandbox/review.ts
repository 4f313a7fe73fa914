import { command } from "../../cli/command.ts";
import { choice, id } from "../../contract/fields.ts";
import { reviewTemplate } from "../../contract/sandbox.ts";
import { writtenColumns } from "../template/list.ts";

export default command({
  endpoint: reviewTemplate,
  args: {
    templateId: id("template id; a review must be requested"),
    decision: choice(["approve", "reject"], "the reviewers' decision"),
  },
  columns: writtenColumns,
  examples: [
    "msg sandbox review <templateId> approve",
    'msg sandbox review <templateId> reject --comment "Advertising is not allowed."',
  ],
});
