import { id } from "../../contract/fields.ts";
import { hideTemplate } from "../../contract/kakao-templates.ts";
import { command } from "../command.ts";
import { templateColumns } from "./columns.ts";

export default command({
  endpoint: hideTemplate,
  args: { templateId: id("the template") },
  hide: ["isHidden"],
  columns: [...templateColumns, "isHidden"],
  examples: ["msg template unhide <templateId>", "msg template unhide <templateId> --json"],
  input: (_ctx, { args }) => ({
    params: { templateId: args.templateId },
    body: { isHidden: false },
  }),
});
