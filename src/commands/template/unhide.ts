import { command } from "../../cli/command.ts";
import { id } from "../../contract/fields.ts";
import { hideTemplate } from "../../contract/kakao.ts";
import { templateColumns } from "./list.ts";

export default command({
  endpoint: hideTemplate,
  args: { templateId: id("the template") },
  hiddenMembers: ["isHidden"],
  columns: [...templateColumns, "isHidden"],
  examples: ["msg template unhide <templateId>", "msg template unhide <templateId> --json"],
  input: (_ctx, { args }) => ({
    params: { templateId: args.templateId },
    body: { isHidden: false },
  }),
});
