import { command } from "../../cli/command.ts";
import { reviewTemplate } from "../../contract/sandbox.ts";
import { writtenColumns } from "../template/list.ts";

const { templateId, decision } = reviewTemplate.body.entries;

export default command({
  endpoint: reviewTemplate,
  args: { templateId, decision },
  columns: writtenColumns,
  examples: [
    "msg sandbox review <templateId> approve",
    'msg sandbox review <templateId> reject --comment "Advertising is not allowed."',
  ],
});
