import { command } from "../../cli/command.ts";
import { shapedReply } from "../../client/codec.ts";
import { flag, id, pairs } from "../../contract/fields.ts";
import { getTemplate } from "../../contract/kakao.ts";
import { t } from "../../locale/locale.ts";
import { template as cut } from "../../message/variables.ts";
import { isJson } from "../../output/fields.ts";
import { showTemplate } from "../../output/template-preview.ts";
import { commentColumns, commentRows, templateColumns } from "./list.ts";

export default command({
  endpoint: getTemplate,
  args: { templateId: id("the template") },
  flags: {
    comments: flag("show the comments of reviewers and members instead of the template"),
    var: pairs("value of a variable for the preview; missing and unused variables are reported"),
  },
  columns: [
    ...templateColumns,
    "isHidden",
    "content",
    { name: "variables", value: (row) => cut(row.content ?? "").names.join(", ") },
    {
      name: "buttons",
      value: (row) =>
        row.buttons
          .map((it) => [it.buttonType, it.buttonName].filter(Boolean).join(":"))
          .join(", "),
    },
    "dateCreated",
  ],
  examples: [
    "msg template get KA01TP260101000000000SANDBOX0001 --sandbox",
    "msg template get <templateId> --var name=민지 --var no=1001",
    "msg template get <templateId> --comments",
    "msg template get <templateId> --json --fields content,codes",
  ],
  run: async (ctx, _input, { args, flags }, defaultRun) => {
    const { record } = await defaultRun();
    if (flags.comments && !isJson(ctx.view))
      return { rows: commentRows(record), columns: commentColumns };
    if (!flags.comments) await showTemplate(ctx, shapedReply(getTemplate, record), flags.var);
    if (!flags.comments && commentRows(record).length > 0)
      await ctx.note(t`review comments: msg template get ${args.templateId} --comments`);
    return { record };
  },
});
