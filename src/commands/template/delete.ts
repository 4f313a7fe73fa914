import { command } from "../../cli/command.ts";
import { id } from "../../contract/fields.ts";
import { deleteTemplate } from "../../contract/kakao.ts";
import { t } from "../../locale/locale.ts";

export default command({
  endpoint: deleteTemplate,
  args: { templateId: id("template id; the template must be PENDING or REJECTED") },
  columns: ["templateId", "name", "status"],
  examples: [
    "msg template delete <templateId>",
    "msg template delete <templateId> -y -q",
    "msg template delete <templateId> -n",
  ],
  confirm: (_ctx, _input, { args }) => ({ question: t`Delete the template '${args.templateId}'?` }),
});
