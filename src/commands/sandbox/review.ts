import { command } from "../../cli/command.ts";
import { choice, id } from "../../contract/fields.ts";
import { reviewTemplate } from "../../contract/sandbox.ts";
import { writtenColumns } from "../template/list.ts";

export default command({
  endpoint: reviewTemplate,
  profile: "sandbox",
  args: {
    templateId: id("template whose review was requested"),
    decision: choice(["approve", "reject"], "what the staff decide"),
  },
  columns: writtenColumns,
  examples: [
    "msg sandbox review <templateId> approve",
    'msg sandbox review <templateId> reject --comment "Advertising is not allowed."',
  ],
});
